/** How far something is: a bar with its numbers, or a bar that only moves where the end is not known. */
import { Group, Progress, Text } from "@mantine/core";
import { formatCount, formatPercent } from "./format.ts";
import { progressAria } from "./progress-aria.ts";

export interface ProgressLineProps {
  /** What the bar is about, for screen readers. */
  label: string;
  done: number;
  failed?: number;
  /** Null while it is not known. */
  total: number | null;
  message?: string | null;
}

export function ProgressLine({ label, done, failed = 0, total, message }: ProgressLineProps) {
  const known = total !== null && total > 0;
  const share = (count: number) => (known ? (count / total) * 100 : 0);
  return (
    <div>
      <Progress.Root size="md">
        {known ? (
          <Progress.Section value={share(done)} {...progressAria(label, share(done), `${done} of ${total}`)} />
        ) : (
          <Progress.Section value={100} striped animated {...progressAria(label, 0, "in progress")} />
        )}
        {failed > 0 && (
          <Progress.Section
            value={share(failed)}
            color="red"
            {...progressAria(`${label}: failed`, share(failed), `${failed} of ${total}`)}
          />
        )}
      </Progress.Root>
      <Group justify="space-between" gap="xs" mt={4} wrap="nowrap" mih={20}>
        <Text size="sm" c="dimmed" truncate>
          {message}
        </Text>
        {known && (
          <Text size="sm" c="dimmed" className="numbers" style={{ whiteSpace: "nowrap" }}>
            {formatCount(done)}/{formatCount(total)} ({formatPercent(done, total)})
            {failed > 0 && ` · ${formatCount(failed)} failed`}
          </Text>
        )}
      </Group>
    </div>
  );
}
