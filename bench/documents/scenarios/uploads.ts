/** Large files: how fast 200 of 10 MB are taken, against `cp` with hashing to the same disk, and what memory that costs. */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { measureMemory, watchMemory } from "../../harness/process-tree.ts";
import { quote, timeCommand } from "../../harness/programs.ts";
import { median } from "../../harness/result.ts";

const fileBytes = 10_000_000;
const atOnce = 4;
const leastRatio = 0.5;
const mostGrowthMb = 150;
const copying = "cp and sha256sum";

export const uploads: Scenario = {
  name: "uploads",
  title: "uploads of 10 MB each",
  async run(bench) {
    const count = bench.options.quick ? 40 : 200;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    // Nobody reads them: what is measured is taking them in.
    const server = await startDocmill({ args: ["--no-workers"] });
    try {
      const files = await makeFiles(folder, count);
      const growth: number[] = [];
      const entries = [
        {
          case: `${count} files`,
          contender: "docmill",
          unit: "MB/s",
          async measure() {
            const before = await measureMemory(server.pid);
            const watch = watchMemory(server.pid);
            const startedAt = now();
            const ids = await uploadAll(server, files);
            const ms = now() - startedAt;
            growth.push((await watch.stop()) - before);
            for (const id of ids) await server.remove(id);
            return (count * fileBytes) / 1_000 / ms;
          },
        },
        {
          case: `${count} files`,
          contender: copying,
          unit: "MB/s",
          async measure() {
            const copies = join(folder, "copies");
            await mkdir(copies, { recursive: true });
            const command = `cp ${quote(folder)}/*.pdf ${quote(copies)}/ && sha256sum ${quote(copies)}/*.pdf && sync ${quote(copies)}/*.pdf`;
            const { wallMs } = await timeCommand(command);
            await rm(copies, { recursive: true });
            return (count * fileBytes) / 1_000 / wallMs;
          },
        },
      ];
      const { measured, skipped } = await takeTurns(bench, entries);
      const middle = (name: string) => {
        const values = measured.find(({ contender }) => contender === name)?.values;
        return values && median(values);
      };
      const [own, other] = [middle("docmill"), middle(copying)];
      return {
        scenario: this.name,
        measured: [...measured, { case: "memory growth", contender: "docmill", unit: "MB", values: growth }],
        skipped,
        bars: [
          { what: `docmill ÷ ${copying}`, value: own && other && own / other, sense: "at least", bar: leastRatio },
          { what: "most memory growth, MB", value: Math.max(...growth), sense: "at most", bar: mostGrowthMb },
        ],
      };
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  },
};

/** No two alike, and of no kind that could be packed. */
async function makeFiles(folder: string, count: number): Promise<string[]> {
  const files: string[] = [];
  for (let number = 0; number < count; number++) {
    const path = join(folder, `${number}.pdf`);
    await writeFile(path, Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(fileBytes - 9)]));
    files.push(path);
  }
  return files;
}

async function uploadAll(server: DocmillServer, files: readonly string[]): Promise<string[]> {
  const left = [...files];
  const ids: string[] = [];
  const sender = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) ids.push((await server.upload(path)).id);
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return ids;
}
