/** The button that sends, or how far that is. */
import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { formatPercent } from "../../../parts/format.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";

export interface SendBarProps {
  /** Under which fields elsewhere on the page belong to the form, so that Enter in them sends it. */
  formId: string;
  /** Between 0 and 1; undefined while nothing is sent. */
  share: number | undefined;
  onSubmit(): void;
  onStop(): void;
}

export function SendBar({ formId, share, onSubmit, onStop }: SendBarProps) {
  return (
    <Group mih={48} align="center">
      {share === undefined ? (
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <WriteButton size="md" type="submit">
            Make the schedule
          </WriteButton>
        </form>
      ) : (
        <>
          <Stack gap={4} flex={1} role="status">
            <Text size="sm">{share < 1 ? `Sending, ${formatPercent(share, 1)}` : "Sent, waiting for the answer"}</Text>
            <Progress value={share * 100} aria-label="Heat sheets sent" animated={share >= 1} />
          </Stack>
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        </>
      )}
    </Group>
  );
}
