/** What failed of late. Only of kinds that the counts say have failed is anything asked for. */
import { useQueries, useQuery } from "@tanstack/react-query";
import type { BookJobType } from "../../../../src/contract/books.ts";
import { bookList } from "../../api/books.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { useNow } from "../../parts/use-now.ts";
import { describeFailures, type Failure } from "./describe-failures.ts";
import {
  type Answers,
  failedDocuments,
  failedJobs,
  gather,
  latestJobOfType,
  useNewestBatches,
} from "./home-queries.ts";
import { heldBy } from "./place-link.ts";

export function useFailures(): { failures: Failure[]; answers: Answers } {
  const { stats } = useActivity();
  const now = useNow(60_000);
  const documents = useQuery(failedDocuments);
  const batches = useNewestBatches();
  const books = useQuery(bookList);
  const kinds = Object.entries(stats?.byKind ?? {}).flatMap(([kind, { failed }]) => (failed > 0 ? kind : []));
  const failedOfKinds = useQueries({ queries: kinds.map(failedJobs) });
  const jobs = failedOfKinds.flatMap(({ data }) => data?.items ?? []);

  // A job that failed stays failed when the book was resumed since: the last one of its type says how the book is.
  const ofBooks = new Map(
    jobs.flatMap((job) => {
      const bookId = heldBy(job, "book");
      return bookId === undefined ? [] : [[`${bookId} ${job.kind}`, [bookId, job.kind as BookJobType]] as const];
    }),
  );
  const latest = useQueries({ queries: [...ofBooks.values()].map(([bookId, type]) => latestJobOfType(bookId, type)) });
  const unresumed = new Set(latest.flatMap(({ data }) => data?.job_id ?? []));

  const failures = describeFailures(
    {
      jobs,
      documents: documents.data?.items ?? [],
      batches: batches.data ?? [],
      books: books.data?.books ?? [],
      unresumed,
    },
    now,
  );
  return { failures, answers: gather([documents, batches, books, ...failedOfKinds]) };
}
