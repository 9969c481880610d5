import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobDetail } from "../../src/contract/jobs.ts";
import { openHints } from "../../src/db/hints.ts";
import { sql } from "../../src/db/sql.ts";
import { createEventHub, type EventHub } from "../../src/events/event-hub.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import { openGate } from "../fixtures/pipelines/http.ts";
import { openStream } from "../support/event-reader.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { makeDue } from "../support/make-due.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { describeOnEachServer } from "../support/test-database.ts";
import { until } from "../support/until.ts";

describeOnEachServer("a job's stream", (server) => {
  let place: HttpPlace;
  beforeAll(async () => {
    place = await openHttpPlace({ server });
    await place.startWorker(8);
  });
  afterAll(() => place.close());

  const streamOf = (id: string) => `${place.url}/api/jobs/${id}/stream`;
  const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);
  const numbers = (events: readonly { id: string }[]) => events.map(({ id }) => Number(id));

  it("starts with the job as it is, goes on live and ends with the job", async () => {
    const gate = `live ${server}`;
    const id = await place.create("held", { gate }, { delayMs: 3_600_000 });
    await using stream = await openStream(streamOf(id));
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(stream.response.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    expect(stream.response.headers.get("x-content-type-options")).toBe("nosniff");
    const sync = await stream.next();
    const data = JSON.parse(sync?.data ?? "");
    expect(sync).toMatchObject({ id: "0", type: "state_sync" });
    expect(data).toMatchObject({ id, type: "state_sync", eventId: 0, status: "pending" });
    expect(JobDetail.safeParse(data).success).toBe(true);
    await makeDue(place.db, id);
    expect(await stream.next()).toMatchObject({ id: "1", type: "job_started" });
    expect(await stream.next()).toMatchObject({ id: "2", type: "stage_completed" });
    openGate(gate);
    const rest = await stream.rest();
    expect(types(rest)).toEqual(["stage_completed", "job_completed"]);
    expect(numbers(rest)).toEqual([3, 4]);
    for (const { id, type, data } of rest) expect(JSON.parse(data)).toMatchObject({ type, eventId: Number(id) });
  });

  it("replays exactly what came after Last-Event-ID, from the header or the query", async () => {
    const id = await place.create("talkative", { events: 6, bytes: 10 });
    await place.untilState(id, "completed");
    for (const after of [0, 3, 7]) {
      const expected = [1, 2, 3, 4, 5, 6, 7, 8].filter((number) => number > after);
      await using byHeader = await openStream(streamOf(id), after);
      expect(numbers(await byHeader.rest())).toEqual(expected);
      await using byQuery = await openStream(`${streamOf(id)}?lastEventId=${after}`);
      expect(numbers(await byQuery.rest())).toEqual(expected);
    }
    await using both = await openStream(`${streamOf(id)}?lastEventId=0`, 6);
    expect(numbers(await both.rest())).toEqual([7, 8]);
  });

  it("says by 204 that there is nothing more to come", async () => {
    const id = await place.create("quick", { n: 1 });
    const { lastEventId } = await place.untilState(id, "completed");
    const { status } = await place.ask(`/api/jobs/${id}/stream?lastEventId=${lastEventId}`);
    expect(status).toBe(204);
  });

  it("starts anew when the number is beyond the end or older than what is kept", async () => {
    const id = await place.create("talkative", { events: 6, bytes: 10 });
    await place.untilState(id, "completed");
    await place.db.query(sql`delete from event_rows where stream_id = ${id} and number <= 3`);
    for (const after of [1, 2, 9, 2_147_483_647]) {
      await using stream = await openStream(streamOf(id), after);
      const events = await stream.rest();
      expect(types(events)).toEqual(["state_sync"]);
      expect(numbers(events)).toEqual([8]);
    }
    await using kept = await openStream(streamOf(id), 3);
    expect(numbers(await kept.rest())).toEqual([4, 5, 6, 7, 8]);
  });

  it("goes on after an end that a person undid", async () => {
    const id = await place.create("failing", { retryable: false });
    await place.untilState(id, "failed");
    await place.post(`/api/jobs/${id}/retry`);
    await place.untilState(id, "failed");
    await using stream = await openStream(streamOf(id), 0);
    expect(types(await stream.rest())).toEqual([
      "job_started",
      "job_failed",
      "job_retried",
      "job_started",
      "job_failed",
    ]);
  });

  it("takes an id in capital letters for the same job", async () => {
    const gate = `capital ${server}`;
    const id = await place.create("held", { gate });
    await place.untilState(id, "running");
    await using stream = await openStream(streamOf(id.toUpperCase()));
    expect((await stream.next())?.type).toBe("state_sync");
    openGate(gate);
    expect(types(await stream.rest()).at(-1)).toBe("job_completed");
  });

  it("gives readers that drop and come back every event once, from any server", async () => {
    // Another server on the same database, which hears no hints and only polls.
    const hints = openHints({ db: place.db, listenUrl: null, logger: silentLogger });
    const events = createEventHub({ db: place.db, hints, logger: silentLogger, pollMs: 50 });
    const engine = createEngine({ db: place.db, hints, logger: silentLogger, pipelines: [] });
    const other = await startHttpServer({ engine, events, logger: silentLogger, host: "127.0.0.1", port: 0 });
    const id = await place.create("talkative", { events: 150, bytes: 20 });
    const read = async (reader: number): Promise<number[]> => {
      const seen: number[] = [];
      for (let turn = 0; ; turn++) {
        const base = (reader + turn) % 2 === 0 ? place.url : other.url;
        await using stream = await openStream(`${base}/api/jobs/${id}/stream`, seen.at(-1) ?? 0);
        const patience = 1 + ((reader * 31 + turn * 17) % 40);
        for (let n = 0; n < patience; n++) {
          const event = await stream.next();
          if (!event) break;
          seen.push(Number(event.id));
          if (event.type === "job_completed") return seen;
        }
      }
    };
    const all = await Promise.all(Array.from({ length: 10 }, (_, reader) => read(reader)));
    const expected = Array.from({ length: 152 }, (_, index) => index + 1);
    for (const seen of all) expect(seen).toEqual(expected);
    await other.close();
    events.close();
    await hints.close();
  });
});

describe("a stream's reader", () => {
  it("gets a sign of life while nothing happens, and costs nothing once it is gone", async () => {
    await using place = await openHttpPlace({ keepAliveMs: 20 });
    const id = await place.create("held", { gate: "never" });
    const socket = connect(place.server.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    socket.write(`GET /api/jobs/${id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await until(() => received.includes("event: state_sync") && /\r\n:\n\n/.test(received));
    expect(received).toContain("retry: 2000\n\n");
    expect(place.events.waiting).toBe(1);
    socket.resetAndDestroy();
    await until(() => place.events.waiting === 0);
  });

  it("that reads nothing makes the server read nothing", async () => {
    let pages = 0;
    const watchEvents = (events: EventHub): EventHub => ({
      ...events,
      async *follow(streamId, after, signal) {
        for await (const page of events.follow(streamId, after, signal)) {
          pages++;
          yield page;
        }
      },
      waiting: 0,
    });
    await using place = await openHttpPlace({ watchEvents });
    const id = await place.create("held", { gate: "never" });
    // 120 MB in 30 pages, far more than the sockets between hold.
    const total = 6_000;
    await place.db.query(sql`
      insert into events (stream_id, number, type, data, created_at)
      select ${id}, n, 'word', jsonb_build_object('text', repeat('x', 20000)), now() from generate_series(1, ${total}) n`);
    await place.db.query(sql`update jobs set last_event = ${total} where id = ${id}`);
    const socket = connect(place.server.port, "127.0.0.1");
    socket.pause();
    socket.write(
      `GET /api/jobs/${id}/stream HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\nConnection: close\r\n\r\n`,
    );
    // Other readers are served meanwhile; when they have it all, the server has long had the time to run ahead.
    await using quick = await openStream(`${place.url}/api/jobs/${id}/stream`, 0);
    for (let n = 1; n <= total; n++) expect((await quick.next())?.id).toBe(String(n));
    await quick.drop();
    const quickPages = total / 200;
    expect(pages - quickPages).toBeLessThan(quickPages / 2);

    const seen: number[] = [];
    let rest = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      rest += text;
      for (const [, number] of rest.matchAll(/\nid: (\d+)\n/g)) seen.push(Number(number));
      // A number may be cut in two: what follows the last whole one is looked at again.
      rest = rest.slice(Math.max(rest.lastIndexOf("\nevent: "), rest.length - 30));
    });
    socket.resume();
    await until(() => seen.at(-1) === total);
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    socket.destroy();
    await once(socket, "close");
  });

  it("is let go in good order when the server closes", async () => {
    const place = await openHttpPlace();
    const id = await place.create("held", { gate: "never" });
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openStream(`${place.url}/api/jobs/${id}/stream`)),
    );
    for (const stream of streams) expect((await stream.next())?.type).toBe("state_sync");
    const ends = Promise.all(streams.map((stream) => stream.rest()));
    await place.server.close();
    expect(await ends).toEqual([[], [], [], [], []]);
    await place.close();
  });
});
