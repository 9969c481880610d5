/** How long an upload waits for its answer while the workers have all they can do. The file is small: what it takes is the answer. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scenario } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { startDocmill } from "../../harness/docmill-server.ts";
import { quantile } from "../../harness/result.ts";

const mostP99Ms = 100;
/** Enough to keep both workers busy for longer than the measurement takes. */
const busyWith = ["pdf/gnuplot-manual.pdf", "pdf/debian-policy.pdf", "pdf/octave-manual.pdf"];

export const answers: Scenario = {
  name: "answers",
  title: "answer to an upload while workers are saturated",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const count = bench.options.quick ? 100 : 400;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    const server = await startDocmill();
    try {
      for (const path of busyWith) await server.upload(join(bench.options.corpus, path));
      const waits: number[] = [];
      for (let number = 0; number < count; number++) {
        const path = join(folder, `${number}.md`);
        await writeFile(path, `# Note ${number}\n\nThe ${number}. note says that it is the ${number}. note.\n`);
        const startedAt = now();
        await server.upload(path);
        waits.push(now() - startedAt);
      }
      const stillBusy = (await server.get<{ items: unknown[] }>("/api/jobs?state=running&limit=1")).items.length > 0;
      const p99 = quantile(waits, 0.99);
      return {
        scenario: this.name,
        measured: [
          { case: "p50", contender: "docmill", unit: "ms", values: [quantile(waits, 0.5)] },
          { case: "p99", contender: "docmill", unit: "ms", values: [p99] },
        ],
        skipped: stillBusy ? [] : ["the workers had nothing left to do before the end"],
        bars: [{ what: "p99, ms", value: stillBusy ? p99 : undefined, sense: "at most", bar: mostP99Ms }],
      };
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  },
};
