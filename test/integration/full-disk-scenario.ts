/**
 * What happens on a full disk, run as root in a mount namespace of its own, so that the small disk it mounts is gone
 * with it. Prints as JSON what each step came to.
 */
import { execFileSync } from "node:child_process";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";

const disk = process.argv[2] as string;
const dataDir = join(disk, "data");
const filler = join(disk, "filler");

execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]);

const noRoomToMake = await start().then(String, codeOf);
const left = (await readdir(join(dataDir, "postgres"))).filter((name) => /making|cluster/.test(name));

execFileSync("mount", ["-o", "remount,size=160m", disk]);
const first = await start();
await query(first, "create table kept (n integer)");
await query(first, "insert into kept values (1)");
await first.stop();

await fill();
const noRoomToStart = await start().then(String, codeOf);
await rm(filler);

const running = await start();
await fill();
// Every insert needs room for its log; sooner or later the server cannot go on.
let acknowledged = 1;
await until(async () => {
  const inserted = await query(running, "insert into kept select generate_series(1, 50000)").catch(() => undefined);
  if (inserted) acknowledged += 50_000;
  return !inserted;
});
await rm(filler);
const kept = await until(async () => {
  await running.whenUp();
  return query(running, "select count(*)::int as n from kept").catch(() => undefined);
});
await running.stop();

console.log(JSON.stringify({ noRoomToMake, left, noRoomToStart, lost: acknowledged - Number(kept[0]?.n) }));

function start(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, logger: silentLogger });
}

function codeOf(error: { code?: string }): string {
  return error.code ?? String(error);
}

async function fill(): Promise<void> {
  await mkdir(disk, { recursive: true });
  const file = await open(filler, "w");
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (;;) await file.write(chunk);
  } catch (error) {
    if (codeOf(error as NodeJS.ErrnoException) !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
}

async function query({ url }: EmbeddedPostgres, statement: string): Promise<{ n?: number }[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
