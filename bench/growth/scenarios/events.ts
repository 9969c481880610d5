/**
 * One stream that grows to a million events, in a table that holds little else: appending takes the next number from the
 * stream's own row, and a page is read from where it begins, so neither may depend on how many there are.
 */
import { type Database, openDatabase } from "../../../src/db/database.ts";
import { openHints } from "../../../src/db/hints.ts";
import { createEventHub } from "../../../src/events/event-hub.ts";
import { readEvents } from "../../../src/events/read-events.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { loadContender } from "../../engine/contenders.ts";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { type Emitter, openEmitters } from "../emitters.ts";
import { chooseSizes, flat, recordGrowth } from "../growth.ts";
import { timeRequests } from "../time-requests.ts";

const sizes = [1_000, 10_000, 100_000, 1_000_000];
/** Handed over at once, so that they share commits as those of many jobs would. */
const atOnce = 1_000;
const measuredAtOnce = 200;
const pageSize = 200;
const repeats = 40;

const figures = {
  many: { name: "append, many at once", unit: "events/s", isRate: true, mayGrow: flat(1.5) },
  one: { name: "append one", unit: "ms", mayGrow: flat(1.5) },
  elsewhere: { name: "append one to a short stream", unit: "ms", mayGrow: flat(1.5) },
  start: { name: "page at the start", unit: "ms", mayGrow: flat(2) },
  middle: { name: "page in the middle", unit: "ms", mayGrow: flat(2) },
  end: { name: "page at the end", unit: "ms", mayGrow: flat(2) },
  follow: { name: "append → follower", unit: "ms", mayGrow: flat(1.5) },
};

export const events: Scenario = {
  name: "events",
  title: "one stream of up to a million events",
  async run(bench) {
    const chosen = chooseSizes(bench, sizes);
    const growth = recordGrowth("events", chosen, figures);
    const skipped: string[] = [];
    const database = await bench.server.createDatabase("docmill", (await loadContender("docmill")).install);
    const db = openDatabase({ url: database.url, logger });
    try {
      await using emitters = await openEmitters(database.url, 2);
      const [long, short] = emitters.all as [Emitter, Emitter];
      let size = 0;
      const append = async (emitter: Emitter, count: number) => {
        if (emitter === long) size += count;
        await Promise.all(Array.from({ length: count }, () => emitter.emit({ sentAt: now() })));
      };
      const page = (after: number) => () => readEvents(db, [{ streamId: long.streamId, after }], pageSize);
      const time = async (what: () => Promise<unknown>) => median(await timeRequests(repeats, what));
      for (const wanted of chosen) {
        while (size < wanted) await append(long, Math.min(atOnce, wanted - size));
        await withClient(database.url, (client) => client.query("vacuum analyze"));
        const { skipped: some } = await takeTurns(bench, [
          growth.entryAt(wanted, "start", () => time(page(0))),
          growth.entryAt(wanted, "middle", () => time(page(Math.floor(size / 2)))),
          growth.entryAt(wanted, "end", () => time(page(size - pageSize))),
          growth.entryAt(wanted, "one", () => time(() => append(long, 1))),
          growth.entryAt(wanted, "elsewhere", () => time(() => append(short, 1))),
          growth.entryAt(wanted, "many", async () => {
            const ms = await time(() => append(long, measuredAtOnce));
            return (measuredAtOnce / ms) * 1_000;
          }),
          growth.entryAt(wanted, "follow", () => timeFollower(db, database.url, long, () => append(long, 1))),
        ]);
        skipped.push(...some);
      }
    } finally {
      await db.close();
      await database.drop();
    }
    return growth.describe({ scenario: this.name, skipped });
  },
};

/** Milliseconds from handing over an event to its delivery to one who follows from the end. */
async function timeFollower(db: Database, url: string, emitter: Emitter, append: () => Promise<void>): Promise<number> {
  const hints = openHints({ db, listenUrl: url, logger });
  const hub = createEventHub({ db, hints, logger, pollMs: 2_000 });
  const stopping = new AbortController();
  const delays: number[] = [];
  const seen = hub.follow(emitter.streamId, await emitter.readEnd(), stopping.signal);
  try {
    for (let event = 0; event < repeats; event++) {
      const next = seen.next();
      await append();
      for (const { data } of (await next).value ?? []) delays.push(now() - (data.sentAt as number));
    }
    return median(delays);
  } finally {
    stopping.abort();
    hub.close();
    await hints.close();
  }
}
