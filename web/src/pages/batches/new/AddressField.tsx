/** Addresses of heat sheets, one a line. */
import { Button, Stack, Textarea } from "@mantine/core";
import type { Ref } from "react";

export interface AddressFieldProps {
  inputRef: Ref<HTMLTextAreaElement>;
  text: string;
  error: string | undefined;
  disabled: boolean;
  onText(text: string): void;
  onAdd(): void;
}

export function AddressField({ inputRef, text, error, disabled, onText, onAdd }: AddressFieldProps) {
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        ref={inputRef}
        w="100%"
        label="Links to PDFs"
        description="One a line, like https://example.com/heat-sheet.pdf"
        rows={5}
        resize="vertical"
        inputMode="url"
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        error={error}
        disabled={disabled}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      <Button variant="default" disabled={disabled || text.trim() === ""} onClick={onAdd}>
        Add to the list
      </Button>
    </Stack>
  );
}
