/** Who does the work, how much of it waits, and how fast it goes; told by the server's stream. */
import { Paper, Skeleton, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { fetchPage } from "../../fetch-page.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { countOf } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { KindTable } from "./KindTable.tsx";
import { LostWorkers } from "./LostWorkers.tsx";
import { NoWorkers } from "./NoWorkers.tsx";
import { chartHeight, QueueHistory } from "./QueueHistory.tsx";
import { Section } from "./Section.tsx";
import { WorkerTable } from "./WorkerTable.tsx";

const QueueCharts = lazy(() => fetchPage(import("./QueueCharts.tsx")));

export function WorkersPage() {
  const { stats, workers } = useActivity();
  const present = workers?.filter(({ state }) => state !== "lost");
  const lost = workers?.filter(({ state }) => state === "lost") ?? [];
  return (
    <>
      <PageHeader title="Workers" description={stats && describe(stats.workers)} />
      <Stack gap="md">
        <Section title="Processes">
          {present === undefined ? (
            <LoadingRows rows={2} />
          ) : present.length === 0 ? (
            <NoWorkers />
          ) : (
            <WorkerTable label="Processes at work, scrolls sideways" workers={present} />
          )}
        </Section>
        {lost.length > 0 && <LostWorkers workers={lost} />}
        {stats === undefined ? (
          <Paper withBorder>
            <LoadingRows rows={6} />
          </Paper>
        ) : (
          <>
            <QueueHistory stats={stats}>
              <Suspense fallback={<Skeleton height={chartHeight} />}>
                <QueueCharts stats={stats} />
              </Suspense>
            </QueueHistory>
            <Section title="Kinds of jobs">
              <KindTable kinds={stats.byKind} />
            </Section>
          </>
        )}
      </Stack>
    </>
  );
}

function describe({ alive, slots }: { alive: number; slots: number }): string {
  return alive === 0
    ? "Nobody works at the moment."
    : `${countOf(alive, "process", "processes")} at work, ${countOf(slots, "job")} at the same time at most.`;
}
