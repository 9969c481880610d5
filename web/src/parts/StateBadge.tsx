/** The state of a job, batch, document or page: a word, an icon and a colour, so that none has to be told by colour alone. */
import { Badge, Loader } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconCheck, IconClock, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";

type Look = { color: string; icon: ReactNode };

const size = 13;
const looks = {
  waiting: { color: "gray", icon: <IconClock size={size} aria-hidden /> },
  working: { color: "mill", icon: <Loader size={11} color="currentColor" aria-hidden /> },
  done: { color: "green", icon: <IconCheck size={size} aria-hidden /> },
  partly: { color: "yellow", icon: <IconAlertTriangle size={size} aria-hidden /> },
  failed: { color: "red", icon: <IconX size={size} aria-hidden /> },
  cancelled: { color: "gray", icon: <IconBan size={size} aria-hidden /> },
} satisfies Record<string, Look>;

/** Words of all APIs for the same six looks. */
const lookOf: Record<string, keyof typeof looks> = {
  pending: "waiting",
  queued: "waiting",
  running: "working",
  processing: "working",
  completed: "done",
  complete: "done",
  done: "done",
  ready: "done",
  approved: "done",
  alive: "done",
  final: "done",
  partial: "partly",
  needs_review: "partly",
  pending_review: "waiting",
  stopping: "partly",
  open: "waiting",
  stable: "waiting",
  failed: "failed",
  lost: "failed",
  cancelled: "cancelled",
};

export function StateBadge({ state, label }: { state: string; label?: string }) {
  const { color, icon } = looks[lookOf[state.toLowerCase()] ?? "working"];
  return (
    <Badge color={color} leftSection={icon} data-state={state} style={{ flexShrink: 0 }}>
      {label ?? state.replace(/_/g, " ").toLowerCase()}
    </Badge>
  );
}
