/** The state of a document in two lines, whatever it is: the list does not jump when one becomes ready. */
import { Group, Progress, Text } from "@mantine/core";
import type { DocumentSummary } from "../../../../../src/contract/documents.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { formatCount } from "../../../parts/format.ts";
import { progressAria } from "../../../parts/progress-aria.ts";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { describeStage, isWaiting } from "../stages.ts";

export function DocumentProgress({ document }: { document: DocumentSummary }) {
  const { status, stage } = document;
  const state = status === "Processing" && isWaiting(stage) ? "pending" : status;
  return (
    <div>
      <StateBadge state={state} label={status === "Processing" ? describeStage(stage) : undefined} />
      <SecondLine document={document} />
    </div>
  );
}

function SecondLine({ document }: { document: DocumentSummary }) {
  const { status, progress, errorMessage, processedAt } = document;
  switch (status) {
    case "Processing":
      return <SmallBar document={document} progress={progress} />;
    case "Failed":
      return (
        <Text size="xs" c="dimmed" truncate mt={4} title={errorMessage ?? undefined}>
          {errorMessage ?? "Nothing is known of why"}
        </Text>
      );
    case "Cancelled":
      return (
        <Text size="xs" c="dimmed" mt={4}>
          Stopped by somebody
        </Text>
      );
    case "Ready":
      return (
        <Text size="xs" c="dimmed" mt={4}>
          read {processedAt !== null && <Ago at={processedAt} />}
        </Text>
      );
  }
}

interface SmallBarProps {
  document: DocumentSummary;
  progress: DocumentSummary["progress"];
}

function SmallBar({ document: { filename }, progress: { totalItems, completedItems, failedItems } }: SmallBarProps) {
  const known = totalItems !== null && totalItems > 0;
  const share = (count: number) => (known ? (count / totalItems) * 100 : 0);
  const label = `Progress of ${filename}`;
  return (
    <Group gap="xs" wrap="nowrap" mt={4} h={18}>
      <Progress.Root size="sm" flex={1} miw={60}>
        <Progress.Section
          value={share(completedItems)}
          {...progressAria(label, share(completedItems), known ? `${completedItems} of ${totalItems}` : "not started")}
        />
        {known && failedItems > 0 && (
          <Progress.Section
            value={share(failedItems)}
            color="red"
            {...progressAria(`${label}: failed`, share(failedItems), `${failedItems} of ${totalItems}`)}
          />
        )}
      </Progress.Root>
      <Text size="xs" c="dimmed" className="numbers" style={{ whiteSpace: "nowrap" }}>
        {known ? `${formatCount(completedItems)}/${formatCount(totalItems)}` : "…"}
      </Text>
    </Group>
  );
}
