/**
 * Readers of a growing stream see every event once and in order, from any process, however often they drop and come
 * back, with hints and without; and one that does not read costs a page.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import { createEventHub } from "../../src/events/event-hub.ts";
import { readEvents } from "../../src/events/read-events.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { createPipelines } from "../fixtures/talkative.ts";
import { runEventReaders } from "../support/event-readers.ts";
import { startFaultWorker } from "../support/fault-worker.ts";
import { batchEnded, jobEnded, readStream } from "../support/read-job.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { openEngineOnDatabase } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

describe("a stream that four processes write 5,000 events to", () => {
  it("is seen whole and in order by 50 readers that drop and come back", async () => {
    const { talkative } = createPipelines();
    await using place = await openEngineOnDatabase([talkative]);
    const { db, engine, database } = place;
    const { url } = database;
    const jobs = Array.from({ length: 20 }, () => talkative.job({ events: 250 }));
    const { id, jobIds } = await engine.createBatch({ pipeline: talkative, jobs });
    const readers = { url, streamId: id, readers: 25, until: "batch_completed" };
    const reading = [
      runEventReaders({ ...readers, listenUrl: url }),
      // Without hints: polling alone gives the same.
      runEventReaders({ ...readers, listenUrl: null }),
    ];
    const options = { url, fixture: "talkative.ts", slots: 4 };
    const writers = await Promise.all([1, 2, 3, 4].map(() => startFaultWorker(options)));
    await batchEnded(db, id);
    const reports = (await Promise.all(reading)).flat();
    await Promise.all(writers.map((writer) => writer.stop()));

    const events = await readStream(db, id);
    expect(events.filter(({ type }) => type === "said")).toHaveLength(5_000);
    const numbers = events.map(({ number }) => number);
    expect(reports).toHaveLength(50);
    for (const report of reports) expect(report.numbers).toEqual(numbers);
    // Otherwise nobody ever dropped.
    expect(reports.reduce((sum, { connections }) => sum + connections, 0)).toBeGreaterThan(100);
    // What a job said is in its own stream too, in its own order, and nothing else is.
    for (const jobId of jobIds) {
      const said = (await readStream(db, jobId)).filter(({ type }) => type === "said").map(({ data }) => data.place);
      expect(said).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    }
  });
});

describe("a hub", () => {
  /** A database that counts the rows it gives out. */
  function counting(db: Database): { counted: Database; rows: () => number } {
    let rows = 0;
    const counted: Database = {
      ...db,
      async query(statement) {
        const answer = await db.query(statement);
        rows += answer.length;
        return answer as never;
      },
    };
    return { counted, rows: () => rows };
  }

  const talker = pipeline("talker", { input: z.object({ events: z.number() }) }).stage(
    "only",
    async ({ input, emit }) => {
      await Promise.all(Array.from({ length: input.events }, (_, index) => emit("said", { place: index + 1 })));
    },
  );

  it("reads one page for a reader that does not pull, however much the stream grows", async () => {
    await using place = await openEngineOnDatabase([talker]);
    const { db, engine } = place;
    await engine.startWorker();
    const { id: long } = await engine.enqueue(talker.job({ events: 1_000 }));
    await jobEnded(db, long);

    const { counted, rows } = counting(db);
    const hub = createEventHub({ db: counted, hints: engine.hints, logger: silentLogger, pollMs: 10, pageSize: 50 });
    const leaving = new AbortController();
    const slow = hub.follow(long, 0, leaving.signal);
    const first = await slow.next();
    expect(first.value).toHaveLength(50);
    expect(rows()).toBe(50);
    expect(hub.waiting).toBe(0);

    // Another reader of the same hub keeps it busy; what it reads is its own alone.
    const { id: short } = await engine.enqueue(talker.job({ events: 300 }));
    let seen = 0;
    for await (const page of hub.follow(short, 0, leaving.signal)) {
      seen += page.length;
      if (page.some(({ type }) => type === "job_completed")) break;
    }
    expect(seen).toBe(302);
    expect(rows()).toBe(50 + 302);

    const second = await slow.next();
    expect((second.value as { number: number }[]).map(({ number }) => number)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 51),
    );
    leaving.abort();
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    hub.close();
  });

  it("reads a page once for all who wait for it", async () => {
    await using place = await openEngineOnDatabase([talker], { listenUrl: null });
    const { db, engine } = place;
    const { id } = await engine.enqueue(talker.job({ events: 30 }));
    const { counted, rows } = counting(db);
    const hub = createEventHub({ db: counted, hints: engine.hints, logger: silentLogger, pollMs: 10, pageSize: 500 });
    const leaving = new AbortController();
    const reading = Array.from({ length: 40 }, async () => {
      const numbers: number[] = [];
      for await (const page of hub.follow(id, 0, leaving.signal)) {
        numbers.push(...page.map(({ number }) => number));
        if (page.some(({ type }) => type === "job_completed")) break;
      }
      return numbers;
    });
    await until(() => hub.waiting === 40);
    await engine.startWorker();
    const seen = await Promise.all(reading);
    for (const numbers of seen) expect(numbers).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
    // 40 readers of their own would have read 1,280 rows.
    expect(rows()).toBeLessThan(200);
    hub.close();
  });

  it("ends a reader that waits when its signal aborts, and all of them when it closes", async () => {
    await using place = await openEngineOnDatabase([talker]);
    const { id } = await place.engine.enqueue(talker.job({ events: 1 }));
    const hub = createEventHub({ db: place.db, hints: place.engine.hints, logger: silentLogger, pollMs: 10 });
    const [one, other] = [new AbortController(), new AbortController()];
    const ends = [one, other].map(async ({ signal }) => {
      for await (const _ of hub.follow(id, 0, signal));
      return "ended";
    });
    await until(() => hub.waiting === 2);
    one.abort();
    expect(await ends[0]).toBe("ended");
    expect(hub.waiting).toBe(1);
    hub.close();
    expect(await ends[1]).toBe("ended");
    for await (const _ of hub.follow(id, 0, AbortSignal.abort())) expect.unreachable();
  });

  it("goes on by itself after a read that failed", async () => {
    await using place = await openEngineOnDatabase([talker]);
    const { db, engine } = place;
    let failures = 3;
    const flaky: Database = {
      ...db,
      query: (statement) => (failures-- > 0 ? Promise.reject(new Error("no connection")) : db.query(statement)),
    };
    const hub = createEventHub({ db: flaky, hints: engine.hints, logger: silentLogger, pollMs: 10 });
    await engine.startWorker();
    const { id } = await engine.enqueue(talker.job({ events: 2 }));
    const leaving = new AbortController();
    for await (const page of hub.follow(id, 0, leaving.signal)) {
      if (page.some(({ type }) => type === "job_completed")) break;
    }
    expect(failures).toBeLessThan(0);
    hub.close();
  });
});

describe("replay", () => {
  it("gives what comes after a number, of many streams at once, each up to the limit", async () => {
    const { talkative } = createPipelines();
    await using place = await openEngineOnDatabase([talkative]);
    const { db, engine } = place;
    await engine.startWorker();
    const ids = await engine.enqueueMany([talkative.job({ events: 10 }), talkative.job({ events: 10 })]);
    await Promise.all(ids.map((id) => jobEnded(db, id)));
    const [one, other] = ids as [string, string];
    const events = await readEvents(
      db,
      [
        { streamId: one, after: 0 },
        { streamId: other, after: 9 },
        { streamId: "01890000-0000-7000-8000-000000000000", after: 0 },
      ],
      4,
    );
    expect(events.map(({ streamId, number }) => [streamId, number])).toEqual([
      ...[1, 2, 3, 4].map((number) => [one, number]),
      ...[10, 11, 12].map((number) => [other, number]),
    ]);
  });
});
