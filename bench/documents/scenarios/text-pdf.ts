/**
 * A text PDF of some hundred pages: from the upload to markdown, passages and full text that can be searched, against
 * what `pdftotext -bbox` alone takes for the same file. The vectors follow as a stage of their own and stand beside it.
 */
import { join } from "node:path";
import { type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { measureCpu } from "../../harness/process-tree.ts";
import { hasProgram, quote, timeCommand } from "../../harness/programs.ts";
import { type Measured, median } from "../../harness/result.ts";

const file = "pdf/gnuplot-manual.pdf";
const quickFile = "pdf/debian-policy.pdf";
const mostRatio = 4;
const peer = "pdftotext -bbox";

export const textPdf: Scenario = {
  name: "text-pdf",
  title: "a text PDF: upload → markdown, chunks, full text",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const path = join(bench.options.corpus, bench.options.quick ? quickFile : file);
    const canCompare = !bench.options.withoutPeers && (await hasProgram("pdftotext"));
    const embedding: number[] = [];
    const cpu: number[] = [];
    const server = await startDocmill();
    try {
      await process(server, path);
      const entries: Entry[] = [
        {
          case: "searchable",
          contender: "docmill",
          unit: "ms",
          async measure() {
            const run = await process(server, path);
            embedding.push(run.embeddingMs);
            cpu.push(run.cpuSeconds);
            return run.searchableMs;
          },
        },
        ...(canCompare
          ? [
              {
                case: "searchable",
                contender: peer,
                unit: "ms",
                measure: async () => (await timeCommand(`pdftotext -bbox ${quote(path)} /dev/null`)).wallMs,
              },
            ]
          : []),
      ];
      const { measured, skipped } = await takeTurns(bench, entries);
      const all: Measured[] = [
        ...measured,
        { case: "processor time until then", contender: "docmill", unit: "s", values: cpu, note: "with PostgreSQL" },
        { case: "vectors, after that", contender: "docmill", unit: "ms", values: embedding },
      ];
      const middle = (name: string) => {
        const values = measured.find(({ contender }) => contender === name)?.values;
        return values && median(values);
      };
      const [own, other] = [middle("docmill"), middle(peer)];
      const what = `docmill ÷ ${peer}`;
      return {
        scenario: this.name,
        measured: all,
        skipped: canCompare || bench.options.withoutPeers ? skipped : [...skipped, "pdftotext is not installed"],
        bars: bench.options.withoutPeers
          ? []
          : [{ what, value: own && other && own / other, sense: "at most", bar: mostRatio }],
      };
    } finally {
      await server.stop();
    }
  },
};

async function process(server: DocmillServer, path: string) {
  const cpuBefore = await measureCpu(server.pid);
  const startedAt = now();
  const { id } = await server.upload(path);
  await server.until(id, ({ chunkCount }) => chunkCount > 0);
  const searchableAt = now();
  const cpuSeconds = (await measureCpu(server.pid)) - cpuBefore;
  await server.until(id, ({ status }) => status === "Ready");
  const readyAt = now();
  // What follows by itself must not run into the next round.
  await server.untilIdle();
  await server.remove(id);
  return { searchableMs: searchableAt - startedAt, embeddingMs: readyAt - searchableAt, cpuSeconds };
}
