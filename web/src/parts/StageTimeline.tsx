/** Stages in their order: the state of each by icon and word, when it started and how long it took. A running one counts up. */
import { Group, Loader, Text } from "@mantine/core";
import { IconBan, IconCheck, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatDateTime, formatDuration, formatName } from "./format.ts";
import classes from "./StageTimeline.module.css";
import { useNow } from "./use-now.ts";

export interface TimelineStage {
  name: string;
  /** What people call it; derived from the name where left out. */
  label?: string;
  status: "completed" | "running" | "pending" | "failed" | "cancelled";
  startedAt: string | null;
  durationMs: number | null;
  /** A line below: a message, an error, a count. */
  note?: string;
}

const looks: Record<TimelineStage["status"], { icon: ReactNode; word: string }> = {
  completed: { icon: <IconCheck size={14} stroke={2.5} aria-hidden />, word: "done" },
  running: { icon: <Loader size={14} color="currentColor" aria-hidden />, word: "running" },
  pending: { icon: <span className={classes.dot} />, word: "waiting" },
  failed: { icon: <IconX size={14} stroke={2.5} aria-hidden />, word: "failed" },
  cancelled: { icon: <IconBan size={14} stroke={2} aria-hidden />, word: "cancelled" },
};

export function StageTimeline({ stages }: { stages: readonly TimelineStage[] }) {
  const end = stages.findIndex(({ status }) => status === "failed" || status === "cancelled");
  return (
    <ol className={classes.timeline}>
      {stages.map((stage, i) => (
        <Stage key={stage.name} {...stage} isAfterEnd={end !== -1 && i > end} />
      ))}
    </ol>
  );
}

interface StageProps extends TimelineStage {
  /** After one that failed or was cancelled nothing waits its turn. */
  isAfterEnd: boolean;
}

function Stage({ name, label, status, startedAt, durationMs, note, isAfterEnd }: StageProps) {
  const { icon, word } = looks[status];
  return (
    <li className={classes.stage} data-status={status} aria-current={status === "running" ? "step" : undefined}>
      <span className={classes.bullet} aria-hidden>
        {icon}
      </span>
      <div className={classes.body}>
        <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
          <Text size="sm" fw={status === "running" || status === "failed" ? 600 : 500}>
            {label ?? formatName(name)}
          </Text>
          <Text size="sm" c="dimmed" className="numbers" style={{ whiteSpace: "nowrap" }}>
            {status === "running" && startedAt !== null ? (
              <RunningTime startedAt={startedAt} />
            ) : (
              durationMs !== null && formatDuration(durationMs)
            )}
          </Text>
        </Group>
        <Text size="xs" c={status === "failed" ? "var(--mantine-color-error)" : "dimmed"}>
          {status === "pending" && isAfterEnd ? "not reached" : word}
          {startedAt !== null && (
            <>
              {" · "}
              <time dateTime={startedAt}>started {formatDateTime(startedAt)}</time>
            </>
          )}
        </Text>
        {note && (
          <Text size="sm" mt={2}>
            {note}
          </Text>
        )}
      </div>
    </li>
  );
}

/** Whole seconds: tenths that jump by ten are noise. */
function RunningTime({ startedAt }: { startedAt: string }) {
  const now = useNow(1_000);
  const ms = Math.max(0, now - new Date(startedAt).getTime());
  return <>{ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : formatDuration(ms)}</>;
}
