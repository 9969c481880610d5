/** Has a document read again from its file, with a choice of when pages are recognised as pictures. */
import { Button, Popover, Radio, Stack, Text } from "@mantine/core";
import { IconRotate } from "@tabler/icons-react";
import { useState } from "react";
import type { DocumentDetail, DocumentOptions } from "../../../../../src/contract/documents.ts";
import { documentKeys, reprocessDocument } from "../../../api/documents.ts";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";

type Ocr = NonNullable<DocumentOptions["ocr"]>;

const choices: { value: Ocr; label: string; description: string }[] = [
  { value: "auto", label: "Where it is needed", description: "Pages without usable text are recognised." },
  { value: "always", label: "On every page", description: "For files whose own text is wrong. Takes longer." },
  { value: "never", label: "Never", description: "Only text that is in the file." },
];

export function ReprocessButton({ document: { id, options, status } }: { document: DocumentDetail }) {
  const [opened, setOpened] = useState(false);
  const [ocr, setOcr] = useState<Ocr>(options.ocr ?? "auto");
  const reprocess = useAction({
    run: () => reprocessDocument(id, { ...options, ocr }),
    outdates: [documentKeys.one(id), documentKeys.list],
    onDone: () => setOpened(false),
  });
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withArrow shadow="md" width={320}>
      <Popover.Target>
        <WriteButton
          variant="default"
          leftSection={<IconRotate size={16} aria-hidden />}
          disabled={status === "Processing"}
          onClick={() => setOpened(!opened)}
        >
          Read again
        </WriteButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Radio.Group
            label="Text recognition (OCR)"
            value={ocr}
            onChange={(value) => setOcr(choices.find((choice) => choice.value === value)?.value ?? "auto")}
          >
            <Stack gap="xs" mt="xs">
              {choices.map((choice) => (
                <Radio key={choice.value} {...choice} />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="xs" c="dimmed">
            What is there now stays until the new reading is done.
          </Text>
          <Button loading={reprocess.isPending} onClick={() => reprocess.mutate()}>
            Read it again
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
