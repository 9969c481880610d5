/** Which pages guidelines are made of. */
import { Button, Checkbox, Group, NumberInput, Paper, Stack, Text, Title } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import type { GenerateOptions } from "../../../api/books.ts";
import { countOf } from "../../../parts/format.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { whyHeld } from "../active-job.ts";

export interface GenerateFormProps {
  book: BookDetail;
  /** There are guidelines from before. */
  isAgain: boolean;
  isStarting: boolean;
  onGenerate(options: GenerateOptions): void;
  onCancel?: () => void;
}

export function GenerateForm({ book, isAgain, isStarting, onGenerate, onCancel }: GenerateFormProps) {
  const { pages } = book;
  const [from, setFrom] = useState<number | string>(1);
  const [to, setTo] = useState<number | string>(pages.length);
  const [sync, setSync] = useState(false);
  const held = whyHeld(book);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onGenerate({
      start_page: from === "" ? undefined : Number(from),
      end_page: to === "" ? undefined : Number(to),
      auto_sync_to_db: sync,
    });
  };
  const range = { min: 1, max: pages.length, allowDecimal: false, clampBehavior: "strict" as const, w: 110 };
  return (
    <Paper withBorder p="md">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <div>
            <Title order={2} size="h4">
              {isAgain ? "Generate again" : "Generate guidelines"}
            </Title>
            <Text size="sm" c="dimmed">
              {isAgain
                ? "The pages of the range are read anew and their guidelines replaced. What you have approved or written yourself stays."
                : "Page by page, topics and subtopics are found and a guideline is written for each. It runs in the background."}
            </Text>
          </div>
          <Group align="flex-end" gap="sm">
            <NumberInput label="From page" value={from} onChange={setFrom} {...range} />
            <NumberInput label="To page" value={to} onChange={setTo} {...range} />
          </Group>
          <Checkbox
            label="Publish to the teaching application when done"
            description="Copies the guidelines to the table teaching_guidelines, without those that need review."
            checked={sync}
            onChange={({ currentTarget }) => setSync(currentTarget.checked)}
          />
          <Text size="sm" c="dimmed">
            {held ?? adviseOn(book)}
          </Text>
          <Group gap="xs">
            <WriteButton type="submit" loading={isStarting} disabled={held !== null}>
              Generate
            </WriteButton>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/** What is worth doing before. */
function adviseOn({ pages }: BookDetail): string {
  const unread = pages.filter(({ ocr_status }) => ocr_status !== "completed").length;
  const open = pages.filter(({ ocr_status, status }) => ocr_status === "completed" && status !== "approved").length;
  if (unread > 0) return `${countOf(unread, "page has", "pages have")} no text yet and will be left out as failed.`;
  if (open > 0) return `${countOf(open, "page is", "pages are")} not approved yet. Their texts are used as they are.`;
  return "All pages are approved.";
}
