/**
 * A whole book through OCR, from the bulk upload to the last page: pages a second and processor time against native
 * tesseract and ocrmypdf, the most memory, and whether the mirror says what the database says.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { measureCpu, watchMemory } from "../../harness/process-tree.ts";
import { hasProgram, quote, timeCommand } from "../../harness/programs.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import { type BookPlace, type BookServer, openBookPlace } from "../book-place.ts";
import { compareMirror } from "../compare-files.ts";
import { countConnections, countLeaked } from "../count-connections.ts";
import { bindScans, makePrintedPages } from "../make-scans.ts";

const rateCase = "pages a second";
const cpuCase = "processor time a page";
const ours = "docmill";
const tesseract = "tesseract";
const ocrmypdf = "ocrmypdf --jobs 2";
const cores = 2;
const mostCpu = 1.3;
/** Of the machine that the application runs on today, less what it needs itself. */
const mostMegabytes = 1_500;
const pagesToWarmUp = 4;
const shownProblems = 3;

interface Round {
  pagesPerSecond: number;
  cpuPerPage: number;
  peakMb: number;
  unread: number;
  problems: string[];
}

export const ocr: Scenario = {
  name: "ocr",
  title: "OCR of a bulk upload",
  async run(bench) {
    const count = bench.options.quick ? 20 : 200;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    try {
      const scans = await makePrintedPages(folder, count);
      await using place = await openBookPlace(bench);
      await using server = await place.serve({ workers: true });
      await recognise(place, server, scans.slice(0, pagesToWarmUp));
      const connections = await countConnections(place.databaseUrl);
      const rounds: Round[] = [];
      const entries: Entry[] = [
        {
          case: rateCase,
          contender: ours,
          unit: "pages/s",
          note: "upload, PNG, text and mirror",
          async measure() {
            const round = await recognise(place, server, scans);
            rounds.push(round);
            return round.pagesPerSecond;
          },
        },
        ...(await peerEntries(bench, scans, folder)),
      ];
      const { measured, skipped } = await takeTurns(bench, entries);
      const leaked = await countLeaked(place.databaseUrl, connections);
      const all: Measured[] = [
        ...measured,
        { case: cpuCase, contender: ours, unit: "s", values: rounds.map(({ cpuPerPage }) => cpuPerPage) },
        {
          case: "peak memory",
          contender: ours,
          unit: "MB",
          values: rounds.map(({ peakMb }) => peakMb),
          note: "without PostgreSQL",
        },
      ];
      const missing = await Promise.all(
        [tesseract, "ocrmypdf"].map(async (name) => ((await hasProgram(name)) ? [] : [`${name} is not installed`])),
      );
      const problems = rounds.flatMap((round) => round.problems);
      return {
        scenario: this.name,
        measured: all,
        skipped: [...skipped, ...missing.flat(), ...problems.slice(0, shownProblems)],
        bars: [
          ...peerBars(bench, all),
          {
            what: "most memory, MB",
            value: Math.max(...rounds.map(({ peakMb }) => peakMb)),
            sense: "at most",
            bar: mostMegabytes,
          },
          {
            what: "pages without text",
            value: rounds.reduce((sum, { unread }) => sum + unread, 0),
            sense: "at most",
            bar: 0,
          },
          {
            what: "differences between metadata.json, files and database",
            value: problems.length,
            sense: "at most",
            bar: 0,
          },
          { what: "leaked connections", value: leaked, sense: "at most", bar: 0 },
        ],
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function recognise(place: BookPlace, server: BookServer, scans: readonly string[]): Promise<Round> {
  const bookId = await server.create();
  const watch = watchMemory(server.pid);
  const cpuBefore = await measureCpu(server.pid);
  const startedAt = now();
  const { job_id } = await server.bring(bookId, scans);
  const job = await server.ended(bookId, job_id);
  const seconds = (now() - startedAt) / 1_000;
  const cpuSeconds = (await measureCpu(server.pid)) - cpuBefore;
  const peakMb = await watch.stop();
  if (job.status !== "completed") throw new Error(`the job is ${job.status}: ${job.error_message}`);
  const pages = await server.pages(bookId);
  const problems = await compareMirror(place.files, bookId, pages);
  await server.remove(bookId);
  return {
    pagesPerSecond: scans.length / seconds,
    cpuPerPage: cpuSeconds / scans.length,
    peakMb,
    unread: scans.length - pages.filter(({ ocr_status }) => ocr_status === "completed").length,
    problems,
  };
}

async function peerEntries(bench: Bench, scans: readonly string[], folder: string): Promise<Entry[]> {
  if (bench.options.withoutPeers) return [];
  const entries: Entry[] = [];
  if (await hasProgram(tesseract)) {
    const list = scans.map(quote).join(" ");
    const together = `printf '%s\\0' ${list} | xargs -0 -P ${cores} -I{} tesseract {} stdout`;
    // With more threads it spends more.
    const oneThread = { OMP_THREAD_LIMIT: "1" };
    entries.push(
      {
        case: cpuCase,
        contender: tesseract,
        unit: "s",
        measure: async () => (await timeCommand(together, oneThread)).cpuSeconds / scans.length,
      },
      {
        case: rateCase,
        contender: tesseract,
        unit: "pages/s",
        note: "text only, a process a core",
        measure: async () => (scans.length / (await timeCommand(together, oneThread)).wallMs) * 1_000,
      },
    );
  }
  if (await hasProgram("ocrmypdf")) {
    const bound = join(folder, "bound.pdf");
    await bindScans(scans, bound);
    const command = `ocrmypdf --jobs ${cores} --output-type pdf ${quote(bound)} ${quote(join(folder, "out.pdf"))}`;
    const measure = async () => (scans.length / (await timeCommand(command)).wallMs) * 1_000;
    entries.push({ case: rateCase, contender: ocrmypdf, unit: "pages/s", measure });
  }
  return entries;
}

function peerBars(bench: Bench, measured: readonly Measured[]): Bar[] {
  if (bench.options.withoutPeers) return [];
  const ratio = (name: string, peer: string) => {
    const [own, other] = [ours, peer].map((contender) => {
      const values = measured.find((entry) => entry.case === name && entry.contender === contender)?.values ?? [];
      return values.length === 0 ? undefined : median(values);
    });
    return own && other && own / other;
  };
  return [
    { what: `${cpuCase}: ${ours} ÷ ${tesseract}`, value: ratio(cpuCase, tesseract), sense: "at most", bar: mostCpu },
    { what: `${rateCase}: ${ours} ÷ ${ocrmypdf}`, value: ratio(rateCase, ocrmypdf), sense: "at least", bar: 1 },
  ];
}
