/** A scanned document: processor time a page against native tesseract, and the time it takes against ocrmypdf on two cores. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { measureCpu } from "../../harness/process-tree.ts";
import { hasProgram, quote, timeCommand } from "../../harness/programs.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import { makeScan } from "../make-scan.ts";

const cpuCase = "processor time a page";
const wallCase = "wall time";
const ours = "docmill";
const tesseract = "tesseract";
const ocrmypdf = "ocrmypdf --jobs 2";
const mostCpu = 1.3;
const cores = 2;

export const scan: Scenario = {
  name: "scan",
  title: "a scanned document",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const pages = bench.options.quick ? 4 : 20;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    const server = await startDocmill();
    try {
      const path = join(folder, "scan.pdf");
      const pictures = await makeScan({ corpus: bench.options.corpus, pages, path });
      const walls: number[] = [];
      const busy: number[] = [];
      await recognise(server, path);
      const entries: Entry[] = [
        {
          case: cpuCase,
          contender: ours,
          unit: "s",
          note: "everything until searchable, with PostgreSQL",
          async measure() {
            const { wallMs, cpuSeconds } = await recognise(server, path);
            walls.push(wallMs / 1_000);
            busy.push(cpuSeconds / (wallMs / 1_000));
            return cpuSeconds / pages;
          },
        },
        ...(await peerEntries(bench, { path, pictures, folder })),
      ];
      const { measured, skipped } = await takeTurns(bench, entries);
      const all: Measured[] = [
        ...measured,
        { case: wallCase, contender: ours, unit: "s", values: walls },
        { case: "cores busy", contender: ours, unit: "", values: busy },
      ];
      const missing = (
        await Promise.all(
          ["tesseract", "ocrmypdf"].map(async (name) => ((await hasProgram(name)) ? [] : [`${name} is not installed`])),
        )
      ).flat();
      return { scenario: this.name, measured: all, skipped: [...skipped, ...missing], bars: makeBars(bench, all) };
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  },
};

async function peerEntries(
  bench: Bench,
  { path, pictures, folder }: { path: string; pictures: readonly string[]; folder: string },
): Promise<Entry[]> {
  if (bench.options.withoutPeers) return [];
  const entries: Entry[] = [];
  if (await hasProgram("tesseract")) {
    const command = pictures.map((picture) => `tesseract ${quote(picture)} stdout`).join("; ");
    entries.push({
      case: cpuCase,
      contender: tesseract,
      unit: "s",
      note: "one thread: with more it spends more",
      measure: async () => (await timeCommand(command, { OMP_THREAD_LIMIT: "1" })).cpuSeconds / pictures.length,
    });
  }
  if (await hasProgram("ocrmypdf")) {
    const command = `ocrmypdf --jobs ${cores} --output-type pdf ${quote(path)} ${quote(join(folder, "out.pdf"))}`;
    const measure = async () => (await timeCommand(command)).wallMs / 1_000;
    entries.push({ case: wallCase, contender: ocrmypdf, unit: "s", measure });
  }
  return entries;
}

function makeBars(bench: Bench, measured: readonly Measured[]): Bar[] {
  if (bench.options.withoutPeers) return [];
  const middle = (name: string, contender: string) => {
    const values = measured.find((entry) => entry.case === name && entry.contender === contender)?.values ?? [];
    return values.length === 0 ? undefined : median(values);
  };
  const ratio = (name: string, peer: string) => {
    const [own, other] = [middle(name, ours), middle(name, peer)];
    return own && other && own / other;
  };
  return [
    { what: `${cpuCase}: ${ours} ÷ ${tesseract}`, value: ratio(cpuCase, tesseract), sense: "at most", bar: mostCpu },
    { what: `${wallCase}: ${ours} ÷ ${ocrmypdf}`, value: ratio(wallCase, ocrmypdf), sense: "at most", bar: 1 },
  ];
}

async function recognise(server: DocmillServer, path: string): Promise<{ wallMs: number; cpuSeconds: number }> {
  const cpuBefore = await measureCpu(server.pid);
  const startedAt = now();
  const { id } = await server.upload(path);
  await server.until(id, ({ chunkCount }) => chunkCount > 0);
  const run = { wallMs: now() - startedAt, cpuSeconds: (await measureCpu(server.pid)) - cpuBefore };
  await server.untilIdle();
  await server.remove(id);
  return run;
}
