/** The most memory that a server, its threads and its embedded PostgreSQL use for documents of growing size. */
import { join } from "node:path";
import type { Scenario } from "../../harness/bench.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { startDocmill } from "../../harness/docmill-server.ts";
import { measureMemory, watchMemory } from "../../harness/process-tree.ts";
import type { Bar, Measured } from "../../harness/result.ts";

const files = [
  { pages: 117, path: "pdf/pypdf_GeoTopo-komprimiert.pdf" },
  { pages: 311, path: "pdf/gnuplot-manual.pdf" },
  { pages: 1158, path: "pdf/octave-manual.pdf" },
];
const mostMegabytes = 900;
/** The longest against the shortest: what a document takes must not grow with its pages. */
const mostGrowth = 1.3;

export const memory: Scenario = {
  name: "memory",
  title: "peak memory of the whole process tree",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const chosen = bench.options.quick ? files.slice(0, 2) : files;
    const measured: Measured[] = [];
    const peaks: { read: number; ready: number }[] = [];
    for (const { pages, path } of chosen) {
      // One of its own for each: what a process has once taken it rarely gives back.
      const server = await startDocmill();
      try {
        const idle = await measureMemory(server.pid);
        const watch = watchMemory(server.pid);
        const { id } = await server.upload(join(bench.options.corpus, path));
        await server.until(id, ({ chunkCount }) => chunkCount > 0);
        const read = await watch.stop();
        const watchRest = watchMemory(server.pid);
        await server.until(id, ({ status }) => status === "Ready");
        await server.untilIdle();
        const ready = Math.max(read, await watchRest.stop());
        peaks.push({ read, ready });
        const which = `${pages} pages`;
        measured.push(
          { case: which, contender: "idle", unit: "MB", values: [idle] },
          { case: which, contender: "until searchable", unit: "MB", values: [read] },
          { case: which, contender: "with vectors and connections", unit: "MB", values: [ready] },
        );
        bench.say(`  ${which}: ${Math.round(idle)} → ${Math.round(read)} → ${Math.round(ready)} MB`);
      } finally {
        await server.stop();
      }
    }
    const [first, last] = [peaks[0], peaks.at(-1)];
    const bars: Bar[] = [
      { what: "most, MB", value: Math.max(...peaks.map(({ ready }) => ready)), sense: "at most", bar: mostMegabytes },
      {
        what: "longest ÷ shortest",
        value: last && first && last.ready / first.ready,
        sense: "at most",
        bar: mostGrowth,
      },
    ];
    return { scenario: this.name, measured, skipped: [], bars };
  },
};
