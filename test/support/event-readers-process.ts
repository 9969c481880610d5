/** The process that `runEventReaders` starts: its readers share two hubs and change between them. */
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEventHub } from "../../src/events/event-hub.ts";
import type { EventReadersOptions, ReaderReport } from "./event-readers.ts";
import { silentLogger } from "./silent-logger.ts";

const options = JSON.parse(process.argv[2] ?? "") as EventReadersOptions;
const { url, listenUrl, streamId } = options;
const db = openDatabase({ url, logger: silentLogger, maxConnections: 4 });
const hints = openHints({ db, listenUrl, logger: silentLogger });
// Pages of different sizes end at different places.
const hubs = [17, 200].map((pageSize) => createEventHub({ db, hints, logger: silentLogger, pollMs: 100, pageSize }));
process.on("disconnect", () => process.exit(1));

const reports = await Promise.all(Array.from({ length: options.readers }, (_, index) => read(index)));
process.send?.(reports, () => process.exit(0));

async function read(index: number): Promise<ReaderReport> {
  const report: ReaderReport = { numbers: [], connections: 0 };
  // Half of them are there from the start, the others come while the stream grows.
  if (index % 2 === 1) await delay(Math.random() * 1_000);
  for (;;) {
    report.connections++;
    if (await connect(report)) return report;
    if (Math.random() < 0.3) await delay(Math.random() * 200);
  }
}

/** Follows the stream for a random number of events; true if it has come to the end. */
async function connect({ numbers, connections }: ReaderReport): Promise<boolean> {
  const hub = hubs[connections % hubs.length] as (typeof hubs)[number];
  const connection = new AbortController();
  let patience = 1 + Math.floor(Math.random() * 1_500);
  // Some hang up while they wait for the next event.
  const hangUp = setTimeout(() => connection.abort(), Math.random() * 2_000);
  try {
    for await (const page of hub.follow(streamId, numbers.at(-1) ?? 0, connection.signal)) {
      for (const { number, type } of page) {
        if (patience-- === 0) return false;
        numbers.push(number);
        if (type === options.until) return true;
      }
    }
    return false;
  } finally {
    clearTimeout(hangUp);
    connection.abort();
  }
}
