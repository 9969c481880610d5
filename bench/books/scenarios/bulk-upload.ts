/**
 * Scans of 10 MB in one request: how fast they are taken, against `cp` with hashing to the same disk, what memory that
 * costs, and whether a request with one too many leaves anything behind.
 */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { measureMemory, watchMemory } from "../../harness/process-tree.ts";
import { quote, timeCommand } from "../../harness/programs.ts";
import { median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { type BookPlace, type BookServer, openBookPlace } from "../book-place.ts";
import { countConnections, countLeaked } from "../count-connections.ts";
import { makeEmptyScans, makeLargeScans } from "../make-scans.ts";

const fileBytes = 10_000_000;
const mostFiles = 200;
const leastRatio = 0.5;
const mostGrowthMb = 150;
const copying = "cp and sha256sum";

export const bulkUpload: Scenario = {
  name: "bulk-upload",
  title: "scans of 10 MB each in one request",
  async run(bench) {
    const count = bench.options.quick ? 40 : mostFiles;
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    try {
      const files = await makeLargeScans(folder, count, fileBytes);
      await using place = await openBookPlace(bench);
      // Nobody reads them: what is measured is taking them in.
      await using server = await place.serve({ workers: false });
      const connections = await countConnections(place.databaseUrl);
      const growth: number[] = [];
      let missing = 0;
      const facts = { case: `${count} files`, unit: "MB/s" };
      const entries: Entry[] = [
        {
          ...facts,
          contender: "docmill",
          async measure() {
            const bookId = await server.create();
            const before = await measureMemory(server.pid);
            const watch = watchMemory(server.pid);
            const startedAt = now();
            const { job_id, pages_uploaded } = await server.bring(bookId, files);
            const ms = now() - startedAt;
            growth.push((await watch.stop()) - before);
            missing += count - pages_uploaded.length;
            await server.cancel(bookId, job_id);
            await server.remove(bookId);
            return (count * fileBytes) / 1_000 / ms;
          },
        },
        {
          ...facts,
          contender: copying,
          async measure() {
            const copies = join(folder, "copies");
            await mkdir(copies);
            const all = (from: string) => `${quote(from)}/*.jpg`;
            const command = `cp ${all(folder)} ${quote(copies)}/ && sha256sum ${all(copies)} && sync ${all(copies)}`;
            const { wallMs } = await timeCommand(command);
            await rm(copies, { recursive: true });
            return (count * fileBytes) / 1_000 / wallMs;
          },
        },
      ];
      const { measured, skipped } = await takeTurns(bench, entries);
      const refused = await sendTooMany(place, server, folder);
      const leaked = await countLeaked(place.databaseUrl, connections);
      const middle = (name: string) => {
        const values = measured.find(({ contender }) => contender === name)?.values;
        return values && median(values);
      };
      const [own, other] = [middle("docmill"), middle(copying)];
      return {
        scenario: this.name,
        measured: [
          ...measured,
          { case: "memory growth", contender: "docmill", unit: "MB", values: growth, note: "without PostgreSQL" },
        ],
        skipped: [...skipped, ...(refused.status === 400 ? [] : [`${mostFiles + 1} files: ${refused.answer}`])],
        bars: [
          { what: `docmill ÷ ${copying}`, value: own && other && own / other, sense: "at least", bar: leastRatio },
          { what: "most memory growth, MB", value: Math.max(...growth), sense: "at most", bar: mostGrowthMb },
          { what: "scans that became no page", value: missing, sense: "at most", bar: 0 },
          {
            what: `${mostFiles + 1} files refused with 400`,
            value: refused.status === 400 ? 1 : 0,
            sense: "at least",
            bar: 1,
          },
          { what: "files, pages and jobs that they left", value: refused.left, sense: "at most", bar: 0 },
          { what: "leaked connections", value: leaked, sense: "at most", bar: 0 },
        ],
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function sendTooMany({ databaseUrl, files }: BookPlace, server: BookServer, folder: string) {
  const bookId = await server.create();
  const response = await server.upload(bookId, await makeEmptyScans(folder, mostFiles + 1));
  const answer = `${response.status} ${await response.text()}`;
  const rows = await withClient(databaseUrl, async (client) => {
    const { rows: counted } = await client.query<{ left: number }>(
      `select ((select count(*) from book_pages where book_id = $1)
        + (select count(*) from jobs where lock_key = 'book:' || $1))::integer as left`,
      [bookId],
    );
    return counted[0]?.left ?? 0;
  });
  const kept = await readdir(join(files, "books", bookId), { recursive: true, withFileTypes: true }).catch(() => []);
  return { status: response.status, answer, left: rows + kept.filter((entry) => entry.isFile()).length };
}
