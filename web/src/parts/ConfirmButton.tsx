/** A button for what cannot be undone: asks once more, in place. */
import { Button, type ButtonProps, Group, Popover, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { WriteButton } from "./WriteButton.tsx";

export interface ConfirmButtonProps extends ButtonProps {
  question: string;
  /** What the button that does it says. */
  confirm: string;
  onConfirm(): void;
  /** Whether it is about nothing that the server has. */
  isForReaders?: boolean;
  children: ReactNode;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { question, confirm, onConfirm, isForReaders = false, children, ...button } = props;
  const [asking, setAsking] = useState(false);
  const First = isForReaders ? Button : WriteButton;
  return (
    <Popover opened={asking} onChange={setAsking} trapFocus returnFocus withArrow shadow="md" width={280}>
      <Popover.Target>
        <First variant="default" {...button} onClick={() => setAsking(true)}>
          {children}
        </First>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" mb="sm">
          {question}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button
            size="xs"
            color="red"
            onClick={() => {
              setAsking(false);
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
