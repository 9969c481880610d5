/** What `docmill doctor` says of periodic work: when it was last done, what failed, and whether anybody does it. */
import { databaseClock } from "../db/clock.ts";
import { type Queryable, sqlState } from "../db/database.ts";
import { readPeriodicWork, type TaskState } from "../periodic/read-periodic-work.ts";
import { periodicTaskNames } from "../periodic-tasks.ts";
import type { Finding } from "./finding.ts";
import { harmless } from "./harmless.ts";

const subject = "periodic work";
/** Processes look every few seconds, but a busy one may be at something else. */
const longestWaitMs = 10 * 60_000;
const undefinedTable = "42P01";
const whoDoesIt = "docmill serve and docmill worker do it while they run";

/** `served`: whether a process of Docmill's is to be expected on this database. */
export async function checkPeriodicWork(db: Queryable, served: boolean): Promise<Finding> {
  try {
    return judge(await readPeriodicWork(db, periodicTaskNames, databaseClock), served);
  } catch (error) {
    if (sqlState(error) !== undefinedTable) return { result: "fail", subject, message: (error as Error).message };
    return { result: "ok", subject, message: `none yet: a migration is missing; ${whoDoesIt}` };
  }
}

function judge(tasks: readonly TaskState[], served: boolean): Finding {
  const failed = tasks.filter(({ failures }) => failures > 0);
  if (failed.length > 0) {
    const list = failed
      .map(({ name, failures, lastError }) => `${name} (${failures} in a row: ${lastError})`)
      .join("; ");
    const message = `fails: ${harmless(list)}. The log of docmill serve or docmill worker says more; docmill cleanup tries it now.`;
    return { result: "warn", subject, message };
  }
  const waiting = tasks.filter(({ waitingMs }) => waitingMs > longestWaitMs);
  if (waiting.length > 0 && served) {
    const longest = Math.max(...waiting.map(({ waitingMs }) => waitingMs));
    const names = waiting.map(({ name }) => name).join(", ");
    const message = `nobody does it: ${names} due for ${describeTime(longest)}. Start docmill serve or docmill worker, or run docmill cleanup.`;
    return { result: "warn", subject, message };
  }
  const done = tasks.flatMap(({ name, lastMsAgo, lastRemoved }) =>
    lastMsAgo === null
      ? []
      : [`${name} ${describeTime(lastMsAgo)} ago${lastRemoved ? ` (${lastRemoved} removed)` : ""}`],
  );
  if (done.length === 0) return { result: "ok", subject, message: `nothing was done yet; ${whoDoesIt}` };
  return { result: "ok", subject, message: done.join(", ") };
}

function describeTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
