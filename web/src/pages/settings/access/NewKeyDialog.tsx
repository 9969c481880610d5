/** Makes a key, and shows it the one time that it can be seen. */
import { Button, Group, Modal, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CreatedApiKey, KeyScope } from "../../../../../src/contract/access.ts";
import { scopes, scopeWords } from "../../../access/scope-words.ts";
import { accessKeys, createApiKey } from "../../../api/access.ts";
import { useAction } from "../../../parts/use-action.ts";
import { KeyOnce } from "./KeyOnce.tsx";

const expiries = [
  { value: "", label: "Never, until it is revoked" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

export function NewKeyDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? `The key “${made.name}”` : "New key"}
      size="md"
      // A click beside it must not take away what cannot be had again.
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {made ? <KeyOnce made={made} onKept={close} /> : <NewKeyForm onMade={setMade} onCancel={close} />}
    </Modal>
  );
}

function NewKeyForm({ onMade, onCancel }: { onMade(made: CreatedApiKey): void; onCancel(): void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<KeyScope>("write");
  const [days, setDays] = useState("");
  const [isMissing, setMissing] = useState(false);
  const creation = useAction({
    run: createApiKey,
    outdates: [accessKeys.keys, accessKeys.audit],
    onDone: onMade,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === "");
    if (name.trim() === "") return;
    creation.mutate({ name: name.trim(), scope, expiresInDays: days === "" ? undefined : Number(days) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Who or what will use it."
          required
          maxLength={100}
          autoComplete="off"
          data-autofocus
          value={name}
          error={isMissing && "A key needs a name."}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setMissing(false);
          }}
        />
        <Radio.Group
          label="Scope"
          value={scope}
          onChange={(value) => setScope(scopes.find((known) => known === value) ?? "write")}
        >
          <Stack gap="xs" mt="xs">
            {scopes.map((value) => (
              <Radio key={value} value={value} label={value} description={scopeWords[value]} />
            ))}
          </Stack>
        </Radio.Group>
        <NativeSelect
          label="Expires"
          data={expiries}
          value={days}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={creation.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
