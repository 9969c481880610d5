/** A key that was just made, to be copied. Where the browser does not allow that (plain http), it is selected to be copied by hand. */
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { CreatedApiKey } from "../../../../../src/contract/access.ts";

export function KeyOnce({ made: { key, name }, onKept }: { made: CreatedApiKey; onKept(): void }) {
  const [state, setState] = useState<"shown" | "copied" | "refused">("shown");
  const field = useRef<HTMLInputElement>(null);
  // Selected at once: what the dialog showed before had the focus, and is gone.
  useEffect(() => field.current?.select(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(key);
      setState("copied");
    } catch {
      field.current?.select();
      setState("refused");
    }
  };
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="This key is shown only now" role="status">
        Copy it to where it will be used, or into a password manager. It cannot be shown again: if it is lost, revoke it
        and make another.
      </Alert>
      <TextInput
        ref={field}
        label={`API key of ${name}`}
        value={key}
        readOnly
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        description={state === "refused" ? "It is selected: copy it with the keyboard or a long press." : undefined}
        descriptionProps={{ role: "status" }}
        inputWrapperOrder={["label", "input", "description"]}
      />
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          leftSection={state === "copied" ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={() => void copy()}
        >
          <span aria-live="polite">{state === "copied" ? "Copied" : "Copy the key"}</span>
        </Button>
        <Button onClick={onKept}>Done, I have kept it</Button>
      </Group>
    </Stack>
  );
}
