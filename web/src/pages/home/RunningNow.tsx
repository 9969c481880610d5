/** What runs and what waits for its turn, with bars that move. */
import { Group, Progress, Text } from "@mantine/core";
import { IconCoffee } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { bookList } from "../../api/books.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { formatCount } from "../../parts/format.ts";
import { ProgressLine } from "../../parts/ProgressLine.tsx";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { describeWork, type Work } from "./describe-work.ts";
import classes from "./HomeSection.module.css";
import { HomeSection } from "./HomeSection.tsx";
import { documentsUnderWay, gather, runningJobs, useNewestBatches, waitingJobs } from "./home-queries.ts";
import { WorkIcon } from "./WorkIcon.tsx";

const mostLines = 6;

export function RunningNow() {
  const { stats } = useActivity();
  const running = useQuery(runningJobs);
  const waiting = useQuery(waitingJobs);
  const documents = useQuery(documentsUnderWay);
  const batches = useNewestBatches();
  const books = useQuery(bookList);
  const work = describeWork({
    running: running.data?.items ?? [],
    waiting: waiting.data?.items ?? [],
    documents: documents.data?.items ?? [],
    batches: batches.data ?? [],
    books: books.data?.books ?? [],
  });
  const jobs = stats ? stats.jobs.pending + stats.jobs.running : 0;
  return (
    <HomeSection
      title="Running now"
      answers={gather([running, waiting, documents, batches, books])}
      isEmpty={work.length === 0}
      empty={
        <EmptyState icon={<IconCoffee size={32} stroke={1.4} />} title="Nothing is running">
          Whatever you add shows up here while it is worked on, with how far it is.
        </EmptyState>
      }
      more={
        work.length > mostLines && (
          <TextLink to="/jobs" size="sm" className="numbers">
            All {formatCount(jobs)} jobs
          </TextLink>
        )
      }
    >
      <ul className={classes.lines}>
        {work.slice(0, mostLines).map((line) => (
          <WorkLine key={line.key} work={line} />
        ))}
      </ul>
    </HomeSection>
  );
}

function WorkLine({ work: { what, title, link, state, done, failed, total, message } }: { work: Work }) {
  return (
    <li className={classes.line}>
      <Group gap="xs" wrap="nowrap" mb={6} mih={24}>
        <WorkIcon what={what} />
        <TextLink {...link} size="sm" fw={500} truncate style={{ flex: 1, minWidth: 0 }}>
          {title}
        </TextLink>
        <StateBadge state={state} label={state === "pending" ? "waiting" : undefined} />
      </Group>
      {state === "running" ? (
        <ProgressLine label={title} done={done} failed={failed} total={total} message={message} />
      ) : (
        // As high as the bar of one that runs: nothing moves when its turn comes.
        <>
          <Progress value={0} size="md" aria-hidden />
          <Text size="sm" c="dimmed" mt={4} mih={20} truncate>
            {message ?? "Waits for its turn"}
          </Text>
        </>
      )}
    </li>
  );
}
