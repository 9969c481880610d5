/** Brings scans in: many at once, read by a job, or a single one that is read at once. */
import { Button, CloseButton, FileButton, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { FileDrop } from "../../../parts/FileDrop.tsx";
import { countOf } from "../../../parts/format.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { HeldNote } from "../HeldNote.tsx";
import { ChosenFiles } from "./ChosenFiles.tsx";
import { SendProgress } from "./SendProgress.tsx";
import { scanTypes } from "./scan-types.ts";
import type { AddPagesState } from "./use-add-pages.ts";

export interface AddPagesProps {
  state: AddPagesState;
  /** Why the book takes none at the moment. */
  held: string | null;
  onClose?: () => void;
}

export function AddPages({ state, held, onClose }: AddPagesProps) {
  const { files, share, error } = state;
  const isBusy = share !== null || state.isAddingOne;
  return (
    <Paper withBorder p="md" component="section" aria-label="Add pages">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">
            Add pages
          </Title>
          {onClose && <CloseButton aria-label="Close “Add pages”" onClick={onClose} disabled={isBusy} />}
        </Group>
        <FileDrop
          title="Drop the scans here, or press Enter to choose"
          hint="PNG, JPEG, TIFF or WebP. They become pages in the natural order of their names: page_2 before page_10."
          accept={scanTypes}
          disabled={isBusy || held !== null}
          onFiles={state.choose}
        />
        <HeldNote held={held} />
        {files.length > 0 && (
          <ChosenFiles files={files} isRefused={error !== null} isBusy={isBusy} onRemove={state.remove} />
        )}
        {share !== null && <SendProgress files={files} share={share} onStop={state.stop} />}
        {error && <ErrorNotice title="The scans were not taken" error={error} />}
        <Group gap="xs">
          {files.length > 0 && (
            <>
              <WriteButton onClick={state.send} loading={share !== null} disabled={held !== null}>
                Upload all and start OCR
              </WriteButton>
              <Button variant="default" onClick={state.clear} disabled={isBusy}>
                Choose others
              </Button>
            </>
          )}
          <FileButton onChange={(file) => file && state.addOne(file)} accept={scanTypes.join(",")}>
            {(button) => (
              <WriteButton
                {...button}
                variant="subtle"
                loading={state.isAddingOne}
                disabled={share !== null || held !== null}
              >
                Add one page
              </WriteButton>
            )}
          </FileButton>
        </Group>
        {state.isAddingOne && (
          <Text size="sm" c="dimmed" role="status">
            {`Reading ${countOf(1, "page")}. It is shown as soon as its text is there.`}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
