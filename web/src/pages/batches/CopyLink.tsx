/** Copies an address. Where the browser does not allow that (plain http), the address is shown to be copied by hand. */
import { Button, type ButtonProps, Popover, Text, TextInput } from "@mantine/core";
import { IconCheck, IconLink } from "@tabler/icons-react";
import { useEffect, useState } from "react";

export interface CopyLinkProps extends ButtonProps {
  /** Of this server, like "/results/abc". */
  path: string;
  /** What the link is to, for screen readers. */
  about: string;
}

const saidMs = 2_500;

export function CopyLink({ path, about, ...button }: CopyLinkProps) {
  const [state, setState] = useState<"idle" | "copied" | "shown">("idle");
  const address = new URL(path, globalThis.location.href).href;

  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState("idle"), saidMs);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setState("copied");
    } catch {
      setState("shown");
    }
  };

  return (
    <Popover
      opened={state === "shown"}
      onChange={() => setState("idle")}
      trapFocus
      returnFocus
      withArrow
      shadow="md"
      width={320}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={state === "copied" ? <IconCheck size={16} aria-hidden /> : <IconLink size={16} aria-hidden />}
          {...button}
          aria-label={state === "copied" ? "Copied" : `Copy link to ${about}`}
          onClick={() => void copy()}
        >
          {state === "copied" ? "Copied" : "Copy link"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" mb="xs">
          Copy this link and send it to whoever should see the schedule.
        </Text>
        <TextInput
          aria-label="Link"
          value={address}
          readOnly
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
