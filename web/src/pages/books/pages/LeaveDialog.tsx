/** Stands between a text that is not saved and whatever would lose it: another page, another address, a closed tab. */
import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";

export interface LeaveDialogProps {
  /** What is not saved, to begin a sentence with. */
  what: string;
  isDirty: boolean;
  /** Why it cannot be saved at the moment. */
  obstacle: string | null;
  save(): Promise<boolean>;
  discard(): void;
}

export function LeaveDialog({ what, isDirty, obstacle, save, discard }: LeaveDialogProps) {
  const [isSaving, setSaving] = useState(false);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  const saveAndLeave = async () => {
    setSaving(true);
    const isSaved = await save();
    setSaving(false);
    if (isSaved) proceed?.();
    else reset?.();
  };
  return (
    <Modal
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title={`${what} is not saved`}
      withCloseButton={false}
    >
      <Text size="sm" mb="md">
        {obstacle === null
          ? "Save it before you go on, or leave and lose what you have typed."
          : `${obstacle} Stay here until then, or leave and lose what you have typed.`}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => reset?.()}>
          Stay
        </Button>
        <Button
          variant="default"
          onClick={() => {
            discard();
            proceed?.();
          }}
        >
          Leave without saving
        </Button>
        {obstacle === null && (
          <Button data-autofocus loading={isSaving} onClick={() => void saveAndLeave()}>
            Save and go on
          </Button>
        )}
      </Group>
    </Modal>
  );
}
