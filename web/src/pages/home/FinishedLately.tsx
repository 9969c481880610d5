/** What was done of late: where to look at what has come of it. */
import { Group, Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { bookKinds, bookList } from "../../api/books.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { Ago } from "../../parts/Ago.tsx";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { describeFinished } from "./describe-finished.ts";
import classes from "./HomeSection.module.css";
import { HomeSection } from "./HomeSection.tsx";
import { completedJobs, gather, readyDocuments, useNewestBatches } from "./home-queries.ts";
import { WorkIcon } from "./WorkIcon.tsx";

const mostLines = 6;

export function FinishedLately() {
  const { stats } = useActivity();
  const documents = useQuery(readyDocuments);
  const batches = useNewestBatches();
  const books = useQuery(bookList);
  const kinds = bookKinds.filter((kind) => (stats?.byKind[kind]?.completed ?? 0) > 0);
  const completed = useQueries({ queries: kinds.map(completedJobs) });
  const finished = describeFinished({
    documents: documents.data?.items ?? [],
    batches: batches.data ?? [],
    books: books.data?.books ?? [],
    jobs: completed.flatMap(({ data }) => data?.items ?? []),
  });
  return (
    <HomeSection
      title="Done lately"
      answers={gather([documents, batches, books, ...completed])}
      isEmpty={finished.length === 0}
      empty={
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing yet. Results can be opened from here as soon as there are some.
        </Text>
      }
    >
      <ul className={`${classes.lines} ${classes.sideBySide}`}>
        {finished.slice(0, mostLines).map(({ key, what, title, link, outcome, at }) => (
          <li key={key} className={classes.line}>
            <Group gap="xs" wrap="nowrap">
              <WorkIcon what={what} />
              <TextLink {...link} size="sm" fw={500} truncate style={{ flex: 1, minWidth: 0 }}>
                {title}
              </TextLink>
              <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                <Ago at={at} />
              </Text>
            </Group>
            <Text size="sm" c="dimmed" truncate ml={28}>
              {outcome}
            </Text>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
