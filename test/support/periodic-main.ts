/** A process that takes part in periodic work, with tasks whose turns its test can hold up; it tells what happens. */
import { once } from "node:events";
import { openDatabase } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createLogger } from "../../src/logger.ts";
import { startPeriodicWork } from "../../src/periodic/start-periodic-work.ts";
import type { PeriodicProcessOptions } from "./periodic-process.ts";

const options: PeriodicProcessOptions = JSON.parse(process.argv[2] ?? "{}");
const logger = createLogger({ level: "error" });
const db = openDatabase({ url: options.url, logger, maxConnections: 4 });
const gate = new AbortController();
if (!options.gated) gate.abort();

const work = startPeriodicWork({
  db,
  holder: `pid ${process.pid}`,
  logger,
  lookMs: options.lookMs ?? 20,
  rightMs: options.rightMs ?? 60_000,
  tasks: options.tasks.map((name) => ({
    name,
    everyMs: options.everyMs ?? 3_600_000,
    run: ({ signal }) => run(name, signal),
  })),
  observe: ({ type, task, turn }) => process.send?.({ type, task, turn, pid: process.pid }),
});

/** Where two work at once, the table's key refuses the second. */
async function run(name: string, signal: AbortSignal): Promise<number> {
  if (options.alone) await db.query(sql`insert into at_work (task) values (${name})`);
  const ends = AbortSignal.any([signal, gate.signal]);
  if (!ends.aborted) await once(ends, "abort");
  if (options.alone) await db.query(sql`delete from at_work where task = ${name}`);
  return process.pid;
}

process.on("message", () => gate.abort());
process.once("SIGTERM", async () => {
  await work.stop();
  await db.close();
  process.exit(0);
});
// The test is gone; nobody is left to end this process.
process.once("disconnect", () => process.exit(1));
process.send?.({ type: "ready", pid: process.pid });
