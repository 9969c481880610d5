/** What `/api/stats` says of the past: by the minute, by the hour, and how long the queue was. */
import { expect, it } from "vitest";
import { Stats } from "../../src/contract/system.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { insertPastJobs, type PastJob } from "../support/jobs-of-the-past.ts";
import type { ServerName } from "../support/postgres-servers.ts";
import { describeOnEachServer } from "../support/test-database.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describeOnEachServer("the counts of the past", (server) => {
  it("are of whole minutes, the present one last, with what was unfinished at the end of each", async () => {
    const { stats } = await countAt(server, minuteMs, (minute) => [
      { createdAt: minute - 90 * minuteMs, endedAt: minute - 3 * minuteMs },
      { createdAt: minute - 59 * minuteMs, endedAt: minute - 1, status: "failed" },
      { createdAt: minute - 59 * minuteMs - 1, endedAt: minute - 59 * minuteMs - 1 },
      { createdAt: minute - 2 * minuteMs, endedAt: minute, status: "cancelled" },
      { createdAt: minute - 1 },
      { createdAt: minute },
    ]);
    expect(byMinutesAgo(stats.createdPerMinute)).toEqual({ 59: 1, 2: 1, 1: 1, 0: 1 });
    expect(byMinutesAgo(stats.endedPerMinute)).toEqual({ 3: 1, 1: 1, 0: 1 });
    const unfinished = stats.unfinishedPerMinute.toReversed();
    expect(unfinished).toHaveLength(60);
    expect(unfinished.slice(0, 5)).toEqual([2, 2, 2, 1, 2]);
    expect(unfinished.slice(4)).toEqual(new Array(56).fill(2));
  });

  it("never say that fewer than none were unfinished", async () => {
    // A clock that is ahead makes an id of a later minute than the one its job is counted in.
    const { stats } = await countAt(server, minuteMs, (minute) => [
      { createdAt: minute, endedAt: minute - 5 * minuteMs },
      { createdAt: minute, endedAt: minute - 5 * minuteMs },
    ]);
    expect(Math.min(...stats.unfinishedPerMinute)).toBe(0);
  });

  it("are of full hours, the present one last", async () => {
    const { start: hour, stats } = await countAt(server, hourMs, (hour) => [
      { createdAt: hour - 24 * hourMs - 1, endedAt: hour - 24 * hourMs - 1 },
      { createdAt: hour - 24 * hourMs, endedAt: hour - 1, status: "failed" },
      { createdAt: hour - 1, endedAt: hour },
      { createdAt: hour - 2 * hourMs, endedAt: hour - 1 },
      { createdAt: hour - 2 * hourMs + 1, endedAt: hour - 2 * hourMs + 2, status: "cancelled" },
      { createdAt: hour },
    ]);
    expect(stats.hours.map(({ startsAt }) => Date.parse(startsAt))).toEqual(
      Array.from({ length: 25 }, (_, index) => hour - (24 - index) * hourMs),
    );
    const counts = stats.hours.map(({ startsAt: _, ...count }) => count);
    const none = { created: 0, completed: 0, failed: 0, cancelled: 0 };
    expect(counts[0]).toEqual({ ...none, created: 1 });
    expect(counts.slice(1, 22)).toEqual(new Array(21).fill(none));
    expect(counts.slice(22)).toEqual([
      { ...none, created: 2, cancelled: 1 },
      { ...none, created: 1, completed: 1, failed: 1 },
      { ...none, created: 1, completed: 1 },
    ]);
  });

  it("keep up with what happens", async () => {
    await using place: HttpPlace = await openHttpPlace({ server });
    const read = async () => Stats.parse((await place.ask("/api/stats")).body);
    const before = await read();
    expect([before.createdPerMinute, before.unfinishedPerMinute]).toEqual([zeros, zeros]);
    await place.startWorker();
    const id = await place.create("quick", { n: 1 });
    await place.create("quick", { n: 1 }, { delayMs: 3_600_000 });
    await place.untilState(id, "completed");
    await expect
      .poll(async () => {
        const { createdPerMinute, endedPerMinute, unfinishedPerMinute, hours } = await read();
        const sums = [sum(createdPerMinute), sum(endedPerMinute), unfinishedPerMinute.at(-1)];
        return [...sums, sum(hours.map(({ created }) => created)), sum(hours.map(({ completed }) => completed))];
      }, longest)
      .toEqual([2, 1, 1, 2, 1]);
  });
});

/** Counts are kept for a moment after they took long. */
const longest = { timeout: 50_000, interval: 50 };
const zeros = new Array(60).fill(0);

/** Fills a database of its own around the start of the present minute or hour, and counts while it is the present one. */
async function countAt(
  server: ServerName,
  unitMs: number,
  jobsAround: (start: number) => PastJob[],
): Promise<{ start: number; stats: Stats }> {
  for (;;) {
    const start = Date.now() - (Date.now() % unitMs);
    await using place = await openHttpPlace({ server });
    await insertPastJobs(place.db, jobsAround(start));
    const { body } = await place.ask("/api/stats");
    if (Date.now() < start + unitMs) return { start, stats: Stats.parse(body) };
  }
}

/** Of those that have any. */
function byMinutesAgo(perMinute: readonly number[]): Record<number, number> {
  const counted = perMinute.map((count, index) => [59 - index, count] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
