/** Leaves an address for the message that the schedule is done. */
import { Button, Popover, Stack, Text, TextInput } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { notifyOfBatch } from "../../../api/batches.ts";
import type { ApiError } from "../../../api/request.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";

export function NotifyButton({ batchId, ended }: { batchId: string; ended: boolean }) {
  const [opened, setOpened] = useState(false);
  const [email, setEmail] = useState("");
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  /** What became of it: the server's own words where something stands in its way. */
  const [outcome, setOutcome] = useState<string>();

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      const { notice } = await notifyOfBatch(batchId, email.trim());
      setOutcome(notice ?? (ended ? "The message is on its way." : "We write to you when the schedule is done."));
    } catch (failure) {
      setError((failure as ApiError).message);
    } finally {
      setSending(false);
    }
  };

  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withArrow shadow="md" width={300}>
      <Popover.Target>
        <WriteButton
          variant="default"
          fullWidth
          leftSection={<IconMail size={16} aria-hidden />}
          onClick={() => {
            setOutcome(undefined);
            setOpened(!opened);
          }}
        >
          Send me a message
        </WriteButton>
      </Popover.Target>
      <Popover.Dropdown>
        {outcome !== undefined ? (
          <Text size="sm" role="status">
            {outcome}
          </Text>
        ) : (
          <form onSubmit={(event) => void send(event)} noValidate>
            <Stack gap="xs">
              <TextInput
                type="email"
                label="Your email address"
                description="It is erased as soon as the message is sent."
                autoComplete="email"
                data-autofocus
                value={email}
                error={error}
                onChange={({ currentTarget }) => setEmail(currentTarget.value)}
              />
              <Button type="submit" loading={isSending}>
                {ended ? "Send it now" : "Send it when it is done"}
              </Button>
            </Stack>
          </form>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
