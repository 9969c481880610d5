/** Buttons for what changes something on the server. Whoever may only look can neither press them nor wonders why. */
import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  type ElementProps,
  Tooltip,
} from "@mantine/core";
import type { MouseEvent, ReactElement } from "react";
import { readOnlyReason, useMayWrite } from "../access/AccessProvider.tsx";

export type WriteButtonProps = ButtonProps & ElementProps<"button", keyof ButtonProps>;

export function WriteButton(props: WriteButtonProps) {
  return useMayWrite() ? <Button {...props} /> : withReason(<Button {...props} {...held} />);
}

export function WriteIcon(props: ActionIconProps & ElementProps<"button", keyof ActionIconProps>) {
  return useMayWrite() ? <ActionIcon {...props} /> : withReason(<ActionIcon {...props} {...held} />);
}

/** One that looks like a link. */
export function WriteAnchor(props: AnchorProps & ElementProps<"button", keyof AnchorProps>) {
  return useMayWrite() ? (
    <Anchor component="button" type="button" {...props} />
  ) : (
    withReason(<Anchor component="button" type="button" {...props} {...held} />)
  );
}

/** Not `disabled`: such a button can neither have the focus nor be pointed at, and its reason would reach nobody. */
const held = {
  "data-disabled": true,
  "aria-disabled": true,
  onClick: (event: MouseEvent) => event.preventDefault(),
};

function withReason(button: ReactElement) {
  return (
    <Tooltip
      label={readOnlyReason}
      position="bottom"
      multiline
      maw={280}
      events={{ hover: true, focus: true, touch: true }}
    >
      {button}
    </Tooltip>
  );
}
