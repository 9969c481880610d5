/** Guidelines of a whole book by rules: pages a second, the most memory, and whether files and rows agree afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { measureCpu, watchMemory } from "../../harness/process-tree.ts";
import { type BookPlace, type BookServer, openBookPlace } from "../book-place.ts";
import { compareGuidelines } from "../compare-files.ts";
import { countConnections, countLeaked } from "../count-connections.ts";
import { makeEmptyScans } from "../make-scans.ts";
import { makeTextbook } from "../make-textbook.ts";

const mostMegabytes = 1_500;
/** A page's vector takes up to eight windows of the local embedder, which makes 50 of them in a second of one core. */
const leastPagesPerSecond = 2;
const shownProblems = 3;

interface Round {
  pagesPerSecond: number;
  cpuPerPage: number;
  peakMb: number;
  failed: number;
  subtopics: number;
  problems: string[];
}

export const extraction: Scenario = {
  name: "extraction",
  title: "guidelines by rules",
  async run(bench) {
    const count = bench.options.quick ? 30 : 100;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    try {
      await using place = await openBookPlace(bench);
      const bookId = await writeBook(place, folder, makeTextbook(count));
      // Another one than has taken the pages in: what is measured is what extraction alone needs.
      await using server = await place.serve({ workers: true });
      const connections = await countConnections(place.databaseUrl);
      const rounds: Round[] = [];
      const { measured, skipped } = await takeTurns(bench, [
        {
          case: `${count} pages`,
          contender: "docmill",
          unit: "pages/s",
          async measure() {
            const round = await extract(place, server, bookId, count);
            rounds.push(round);
            return round.pagesPerSecond;
          },
        },
      ]);
      const leaked = await countLeaked(place.databaseUrl, connections);
      const problems = rounds.flatMap((round) => round.problems);
      const rates = rounds.map(({ pagesPerSecond }) => pagesPerSecond);
      const facts = { contender: "docmill" };
      return {
        scenario: this.name,
        measured: [
          ...measured,
          { ...facts, case: "processor time a page", unit: "s", values: rounds.map(({ cpuPerPage }) => cpuPerPage) },
          {
            ...facts,
            case: "peak memory",
            unit: "MB",
            values: rounds.map(({ peakMb }) => peakMb),
            note: "without PostgreSQL",
          },
          { ...facts, case: "subtopics", unit: "", values: rounds.map(({ subtopics }) => subtopics) },
        ],
        skipped: [...skipped, ...problems.slice(0, shownProblems)],
        bars: [
          { what: "pages/s, slowest round", value: Math.min(...rates), sense: "at least", bar: leastPagesPerSecond },
          {
            what: "most memory, MB",
            value: Math.max(...rounds.map(({ peakMb }) => peakMb)),
            sense: "at most",
            bar: mostMegabytes,
          },
          {
            what: "pages that failed",
            value: rounds.reduce((sum, { failed }) => sum + failed, 0),
            sense: "at most",
            bar: 0,
          },
          { what: "differences between files and database", value: problems.length, sense: "at most", bar: 0 },
          { what: "leaked connections", value: leaked, sense: "at most", bar: 0 },
        ],
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** A book whose pages have these texts, as if someone had typed them. */
async function writeBook(place: BookPlace, folder: string, texts: readonly string[]): Promise<string> {
  await using server = await place.serve({ workers: false });
  const bookId = await server.create();
  const { job_id } = await server.bring(bookId, await makeEmptyScans(folder, texts.length));
  await server.cancel(bookId, job_id);
  for (const [index, text] of texts.entries()) await server.writeText(bookId, index + 1, text);
  return bookId;
}

async function extract(place: BookPlace, server: BookServer, bookId: string, count: number): Promise<Round> {
  const watch = watchMemory(server.pid);
  const cpuBefore = await measureCpu(server.pid);
  const startedAt = now();
  const { job_id } = await server.generate(bookId);
  if (job_id === null) throw new Error("nothing was left to extract");
  const job = await server.ended(bookId, job_id);
  const seconds = (now() - startedAt) / 1_000;
  const cpuSeconds = (await measureCpu(server.pid)) - cpuBefore;
  const peakMb = await watch.stop();
  if (job.status !== "completed") throw new Error(`the job is ${job.status}: ${job.error_message}`);
  const guidelines = await server.guidelines(bookId);
  return {
    pagesPerSecond: count / seconds,
    cpuPerPage: cpuSeconds / count,
    peakMb,
    failed: job.failed_items,
    subtopics: guidelines.total_subtopics,
    problems: await compareGuidelines(place, bookId, guidelines),
  };
}
