/** `/api/stream`: the present of the whole server, told to all who watch, and read only while somebody does. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Activity, WorkerList } from "../../src/contract/system.ts";
import type { Database } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { sql } from "../../src/db/sql.ts";
import { createEventHub } from "../../src/events/event-hub.ts";
import { streamTopic } from "../../src/events/topics.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import { openGate } from "../fixtures/pipelines/http.ts";
import { type OpenStream, openStream } from "../support/event-reader.ts";
import { type HttpPlace, type HttpPlaceOptions, openHttpPlace } from "../support/http-place.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { describeOnEachServer } from "../support/test-database.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

type News = { type: "activity"; data: Activity } | { type: "workers"; data: WorkerList };

interface WatchedStream extends OpenStream {
  /** The next event, held against the contract. */
  news(): Promise<News>;
  /** The first `activity` that fits. */
  activity(fits: (activity: Activity) => boolean): Promise<Activity>;
}

async function watchStream(url: string): Promise<WatchedStream> {
  const stream = await openStream(`${url}/api/stream`);
  const news = async () => {
    const event = await stream.next();
    if (!event) throw new Error("the stream has ended");
    expect(event.id).toBe("");
    const data = JSON.parse(event.data);
    const schema = event.type === "activity" ? Activity : WorkerList;
    expect(schema.parse(data)).toEqual(data);
    return { type: event.type, data } as News;
  };
  return {
    ...stream,
    news,
    async activity(fits) {
      for (;;) {
        const { type, data } = await news();
        if (type === "activity" && fits(data)) return data;
      }
    },
  };
}

/** With hints that arrive: until that is known, a watcher goes by looking and takes nothing for complete. */
async function openHintedPlace(options?: HttpPlaceOptions): Promise<HttpPlace> {
  const place = await openHttpPlace(options);
  await until(() => place.engine.hints.delivering());
  return place;
}

const tells =
  (id: string, status: string) =>
  ({ jobs }: Activity) =>
    jobs.some((job) => job.id === id && job.status === status);

/** Counts the looks of a watcher by the statement that every one of them makes. */
function countLooks() {
  const count = { looks: 0, statements: 0 };
  const watchDatabase = (db: Database): Database => ({
    ...db,
    query(statement) {
      count.statements++;
      if (statement.compile().text.includes("with listed as")) count.looks++;
      return db.query(statement);
    },
  });
  return { count, watchDatabase };
}

describeOnEachServer("the stream of all activity", (server) => {
  let place: HttpPlace;
  beforeAll(async () => {
    place = await openHintedPlace({ server });
    await place.startWorker();
  });
  afterAll(() => place.close());

  it("starts with the picture as it is", async () => {
    await using stream = await watchStream(place.url);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(stream.response.headers.get("cache-control")).toBe("no-cache, no-transform");
    const [first, second] = [await stream.news(), await stream.news()];
    // The past is told by the clock, which goes on between the two.
    const { hours, endedPerMinute, createdPerMinute, unfinishedPerMinute, ...present } = (await place.ask("/api/stats"))
      .body;
    expect(first).toMatchObject({ type: "activity", data: { stats: present, jobs: [], complete: false } });
    expect(Object.keys((first.data as Activity).stats).sort()).toEqual(
      Object.keys({ hours, endedPerMinute, createdPerMinute, unfinishedPerMinute, ...present }).sort(),
    );
    expect(second).toMatchObject({
      type: "workers",
      data: { items: [{ pid: process.pid, state: "alive", slots: 4 }] },
    });
    expect((await place.ask("/api/stream", { method: "HEAD" })).status).toBe(200);
  });

  it("tells each change of a job, exactly as the list of jobs has it", async () => {
    await using stream = await watchStream(place.url);
    expect((await stream.news()).data).toMatchObject({ complete: false });
    const gate = `activity ${server}`;
    const id = await place.create("held", { gate });
    const running = await stream.activity(tells(id, "running"));
    expect(running.complete).toBe(true);
    expect(running.jobs).toMatchObject([{ id, kind: "held", attempts: 1 }]);
    openGate(gate);
    const completed = await stream.activity(tells(id, "completed"));
    expect(completed.complete).toBe(true);
    expect(completed.jobs).toEqual((await place.ask("/api/jobs?limit=1")).body.items);
    // The counts may be a moment older than the jobs: then they are told again.
    const counted = ({ stats }: Activity) => stats.jobs.running === 0 && stats.byKind.held?.completed === 1;
    if (!counted(completed)) await stream.activity(counted);
  });

  it("tells who works whenever that has changed", async () => {
    await using stream = await watchStream(place.url);
    const beats = new Set<string>();
    while (beats.size < 3) {
      const { type, data } = await stream.news();
      if (type === "workers") beats.add(String(data.items[0]?.heartbeatAt));
    }
  });
});

describe("a watcher", () => {
  it("tells new jobs, and nothing while nothing changes", async () => {
    const { count, watchDatabase } = countLooks();
    await using place = await openHintedPlace({ watchDatabase });
    await place.create("anything", 0);
    await using stream = await watchStream(place.url);
    for (const type of ["activity", "workers"]) expect((await stream.news()).type).toBe(type);
    await until(() => count.looks >= 3);
    const id = await place.create("anything", 1, { delayMs: 3_600_000 });
    let early = 0;
    const told = await stream.activity(({ jobs }) => jobs.length > 0 || ++early === 0);
    // Only the beginning of a minute, which moves the counts, may have been told before.
    expect(early).toBeLessThanOrEqual(1);
    expect([told.jobs.map((job) => job.id), told.complete]).toEqual([[id], true]);
    const counted = ({ stats }: Activity) => stats.jobs.pending === 2;
    if (!counted(told)) await stream.activity(counted);
  });

  it("says that there is more than it tells", async () => {
    await using place = await openHintedPlace();
    await using stream = await watchStream(place.url);
    await stream.news();
    const pipeline = place.engine.registry.get("anything");
    const ids = await place.engine.enqueueMany(Array.from({ length: 150 }, (_, n) => ({ pipeline, input: n })));
    const { jobs, complete } = await stream.activity(({ jobs }) => jobs.length > 0);
    expect(complete).toBe(false);
    expect(jobs.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 100));
  });

  it("asks the database for nothing while nobody reads, and once for all who do", async () => {
    const { count, watchDatabase } = countLooks();
    await using place = await openHintedPlace({ watchDatabase, pollMs: 20 });
    const streams = await Promise.all(Array.from({ length: 20 }, () => watchStream(place.url)));
    for (const stream of streams) expect((await stream.news()).type).toBe("activity");
    // A look serves all who are there; on a slow machine some come after the first.
    expect(count.looks).toBeLessThan(streams.length);
    const id = await place.create("anything", 1);
    const told = await Promise.all(streams.map((stream) => stream.activity(tells(id, "pending"))));
    expect(new Set(told.map((activity) => JSON.stringify(activity))).size).toBe(1);

    await Promise.all(streams.map((stream) => stream.drop()));
    // A look that was under way when the last reader left still comes to its end.
    const settled = async () => {
      const before = count.statements;
      await delay(100);
      return count.statements === before;
    };
    await until(settled);
    const { statements } = count;
    place.engine.hints.tellHere([streamTopic(id)]);
    place.engine.hints.tellHere(["k:anything"]);
    await delay(500);
    expect(count.statements).toBe(statements);

    await using again = await watchStream(place.url);
    expect((await again.news()).data).toMatchObject({ jobs: [], complete: false });
  });

  it("lets a reader that takes nothing wait, and tells it that it has missed something", async () => {
    await using place = await openHintedPlace();
    const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => place.create("anything", n)));
    const socket = connect(place.server.port, "127.0.0.1");
    socket.pause();
    socket.write("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await using quick = await watchStream(place.url);
    await quick.news();
    const say = async (message: string) => {
      await place.db.query(sql`update jobs set message = ${message}`);
      place.engine.hints.publish(ids.map(streamTopic));
      await quick.activity(({ jobs }) => jobs.length === ids.length && jobs[0]?.message === message);
    };
    // 12 MB, more than the sockets between hold, and then what must not be kept for it.
    await say("x".repeat(200_000));
    for (const message of ["missed", "missed too"]) await say(message);

    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.resume();
    const eventsOf = () =>
      [...text.matchAll(/event: activity\ndata: (.*)\n\n/g)].map(([, data]) => JSON.parse(String(data)) as Activity);
    const events = await until(() => {
      const all = eventsOf();
      return all.length >= 3 && all;
    });
    expect(events.map(({ jobs, complete }) => [jobs.length, complete])).toEqual([
      [0, false],
      [ids.length, true],
      [0, false],
    ]);
    expect(text).not.toContain("missed");
    socket.destroy();
    await once(socket, "close");
  });

  it("is silent while the database is away, and goes on when it is back", async () => {
    let away = false;
    const watchDatabase = (db: Database): Database => ({
      ...db,
      query: (statement) => (away ? Promise.reject(new Error("Connection terminated")) : db.query(statement)),
    });
    await using place = await openHintedPlace({ watchDatabase, pollMs: 50 });
    const id = await place.create("anything", 1);
    away = true;
    await using stream = await watchStream(place.url);
    await using other = await watchStream(place.url);
    await delay(200);
    away = false;
    expect((await stream.news()).data).toMatchObject({ stats: { jobs: { pending: 1 } }, complete: false });
    await other.news();
    away = true;
    place.engine.hints.publish([streamTopic(id)]);
    await delay(1_500);
    away = false;
    // What changed meanwhile is not known.
    await stream.activity(({ complete }) => !complete);
  });

  it("lets its readers go in good order when the server closes", async () => {
    const place = await openHintedPlace();
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(`${place.url}/api/stream`)));
    for (const stream of streams) expect((await stream.next())?.type).toBe("activity");
    const ends = Promise.all(streams.map((stream) => stream.rest()));
    await place.server.close();
    for (const events of await ends) expect(events.filter(({ type }) => type === "activity")).toEqual([]);
    await place.close();
  });
});

describe("with other processes on the same database", () => {
  const processes = useWorkerProcesses();
  const pipelines = import.meta.resolve("../fixtures/pipelines/http.ts");
  const terms = { pipelines, leaseMs: 1_500, heartbeatMs: 300 };

  it("tells of a job that another one runs, and of a worker that is lost", async () => {
    await using place = await openHintedPlace();
    const worker = await processes.start({ url: place.databaseUrl, ...terms });
    await using stream = await watchStream(place.url);
    await stream.news();
    const quick = await place.create("quick", { n: 1 });
    const held = await place.create("held", { gate: "never" });
    const seen: string[] = [];
    await stream.activity(({ jobs }) => {
      seen.push(...jobs.map(({ id, status }) => `${id} ${status}`));
      return seen.includes(`${quick} completed`) && seen.includes(`${held} running`);
    });
    await worker.kill();
    // Nobody else looks: the watcher itself takes the job back.
    await stream.activity(tells(held, "pending"));
  });

  it("goes by looking where hints do not arrive", async () => {
    await using place = await openHintedPlace();
    await place.startWorker();
    const hints = openHints({ db: place.db, listenUrl: null, logger: silentLogger });
    const events = createEventHub({ db: place.db, hints, logger: silentLogger, pollMs: 50 });
    const engine = createEngine({ db: place.db, hints, logger: silentLogger, pipelines: [] });
    const deaf = await startHttpServer({
      engine,
      events,
      logger: silentLogger,
      host: "127.0.0.1",
      port: 0,
      pollMs: 50,
    });
    const gate = "without hints";
    const id = await place.create("held", { gate });
    await place.untilState(id, "running");
    {
      await using stream = await watchStream(deaf.url);
      await stream.news();
      const beats = new Set<string>();
      await stream.activity(({ jobs }) => {
        for (const job of jobs) if (job.id === id) beats.add(String(job.heartbeatAt));
        return beats.size > 1;
      });
      openGate(gate);
      const { complete } = await stream.activity(tells(id, "completed"));
      expect(complete).toBe(false);
    }
    await deaf.close();
    events.close();
    await hints.close();
  });
});
