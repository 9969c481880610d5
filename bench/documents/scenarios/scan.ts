/**
 * A scanned document. OCR alone, with the same pages drawn, recognised and put in order, against native tesseract: its
 * processor time and its errors. The whole way until the document can be searched: its time against ocrmypdf on two cores.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { type Child, startChild } from "../../harness/child.ts";
import { now } from "../../harness/clock.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { measureCpu } from "../../harness/process-tree.ts";
import { hasProgram, quote, readOutput, timeCommand } from "../../harness/programs.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import { scoreText } from "../../quality/ocr-scores/score-text.ts";
import { mean } from "../../quality/plain-text.ts";
import { makeScan, type ScannedPage } from "../make-scan.ts";
import type { OcrProcessApi } from "../ocr-process.ts";

const cpuCase = "processor time a page";
const errorCase = "character error rate";
const wallCase = "wall time";
const ours = "docmill";
const oursWithout = "docmill without the native program";
const whole = "docmill until searchable";
const tesseract = "tesseract";
const ocrmypdf = "ocrmypdf --jobs 2";
const mostCpu = 1.3;
const leastBusy = 1.7;
const cores = 2;
/** Each look costs the server some of the processor time that is measured. */
const lookMs = 250;
const oneThread = { OMP_THREAD_LIMIT: "1" };
const ocrFile = new URL("../ocr-process.ts", import.meta.url);

export const scan: Scenario = {
  name: "scan",
  title: "a scanned document",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    await using open = new AsyncDisposableStack();
    open.defer(() => rm(folder, { recursive: true }));
    const path = join(folder, "scan.pdf");
    const pages = await makeScan({ corpus: bench.options.corpus, pages: bench.options.quick ? 4 : 20, path });
    const readers = [ours, oursWithout].map((name) => ({ name, child: startChild<OcrProcessApi>(ocrFile) }));
    for (const { child } of readers) open.defer(() => child.kill());
    const server = await startDocmill();
    open.defer(() => server.stop());

    const measured: Measured[] = [];
    for (const { name, child } of readers) {
      const note = await child.call("open", { native: name === ours });
      const rate = rateErrors(pages, await child.call("recognise", path));
      measured.push({ case: errorCase, contender: name, unit: "", values: [rate], note });
    }
    await processWhole(server, path);
    const runs: WholeRun[] = [];
    const entries: Entry[] = [
      ...readers.map(({ name, child }) => ocrEntry(name, child, path, pages.length)),
      {
        case: cpuCase,
        contender: whole,
        unit: "s",
        note: "with PostgreSQL",
        async measure() {
          const run = await processWhole(server, path);
          runs.push(run);
          return run.cpuSeconds / pages.length;
        },
      },
    ];
    const { peers, missing } = await findPeers(bench, { path, pages, folder });
    if (peers.some(({ contender }) => contender === tesseract)) {
      measured.push({ case: errorCase, contender: tesseract, unit: "", values: [await rateTesseract(pages)] });
    }
    const turns = await takeTurns(bench, [...entries, ...peers]);
    measured.push(
      ...turns.measured,
      { case: wallCase, contender: whole, unit: "s", values: runs.map(({ seconds }) => seconds) },
      {
        case: "cores busy",
        contender: whole,
        unit: "",
        values: runs.map(({ seconds, cpuSeconds }) => cpuSeconds / seconds),
      },
    );
    return {
      scenario: this.name,
      measured,
      skipped: [...turns.skipped, ...missing],
      bars: makeBars(bench, measured),
    };
  },
};

function ocrEntry(name: string, child: Child<OcrProcessApi>, path: string, pages: number): Entry {
  return {
    case: cpuCase,
    contender: name,
    unit: "s",
    async measure() {
      const before = await measureCpu(child.pid);
      await child.call("recognise", path);
      return ((await measureCpu(child.pid)) - before) / pages;
    },
  };
}

interface WholeRun {
  seconds: number;
  cpuSeconds: number;
}

async function processWhole(server: DocmillServer, path: string): Promise<WholeRun> {
  const cpuBefore = await measureCpu(server.pid);
  const startedAt = now();
  const { id } = await server.upload(path);
  await server.until(id, ({ chunkCount }) => chunkCount > 0, lookMs);
  const run = { seconds: (now() - startedAt) / 1_000, cpuSeconds: (await measureCpu(server.pid)) - cpuBefore };
  await server.untilIdle();
  await server.remove(id);
  return run;
}

async function findPeers(
  bench: Bench,
  { path, pages, folder }: { path: string; pages: readonly ScannedPage[]; folder: string },
): Promise<{ peers: Entry[]; missing: string[] }> {
  if (bench.options.withoutPeers) return { peers: [], missing: [] };
  const peers: Entry[] = [];
  const missing: string[] = [];
  if (await hasProgram("tesseract")) {
    const command = pages.map(({ picture }) => `tesseract ${quote(picture)} stdout`).join("; ");
    peers.push({
      case: cpuCase,
      contender: tesseract,
      unit: "s",
      note: "one thread: with more it spends more",
      measure: async () => (await timeCommand(command, oneThread)).cpuSeconds / pages.length,
    });
  } else missing.push("tesseract is not installed");
  if (await hasProgram("ocrmypdf")) {
    const command = `ocrmypdf --jobs ${cores} --output-type pdf ${quote(path)} ${quote(join(folder, "out.pdf"))}`;
    const measure = async () => (await timeCommand(command)).wallMs / 1_000;
    peers.push({ case: wallCase, contender: ocrmypdf, unit: "s", measure });
  } else missing.push("ocrmypdf is not installed");
  return { peers, missing };
}

async function rateTesseract(pages: readonly ScannedPage[]): Promise<number> {
  const texts: string[] = [];
  for (const { picture } of pages) texts.push(await readOutput("tesseract", [picture, "stdout"]));
  return rateErrors(pages, texts);
}

function rateErrors(pages: readonly ScannedPage[], texts: readonly string[]): number {
  return mean(pages.map(({ truth }, page) => scoreText(truth, texts[page] ?? "").characterErrorRate));
}

function makeBars(bench: Bench, measured: readonly Measured[]): Bar[] {
  const middle = (name: string, contender: string) => {
    const values = measured.find((entry) => entry.case === name && entry.contender === contender)?.values ?? [];
    return values.length === 0 ? undefined : median(values);
  };
  const ratio = (name: string, one: string, other: string): Bar["value"] => {
    const [own, peer] = [middle(name, one), middle(name, other)];
    return own && peer && own / peer;
  };
  const against = (name: string, one: string, other: string, bar: number): Bar => {
    return { what: `${name}: ${one} ÷ ${other}`, value: ratio(name, one, other), sense: "at most", bar };
  };
  return [
    ...(bench.options.withoutPeers
      ? []
      : [
          against(cpuCase, ours, tesseract, mostCpu),
          against(errorCase, ours, tesseract, 1),
          against(wallCase, whole, ocrmypdf, 1),
        ]),
    { what: `cores busy, of ${cores}`, value: middle("cores busy", whole), sense: "at least", bar: leastBusy },
  ];
}
