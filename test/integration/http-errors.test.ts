import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorAnswer } from "../../src/contract/errors.ts";
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { sql } from "../../src/db/sql.ts";
import { createEventHub } from "../../src/events/event-hub.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import { createLogger } from "../../src/logger.ts";
import { type Answer, type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { silentLogger } from "../support/silent-logger.ts";

const unknownId = "01890a5d-ac96-774b-bcce-b302099a8057";

describe("an error", () => {
  let place: HttpPlace;
  const log: Record<string, unknown>[] = [];
  beforeAll(async () => {
    const destination = { write: (line: string) => void log.push(JSON.parse(line)) };
    place = await openHttpPlace({ logger: createLogger({ level: "error", destination }) });
  });
  afterAll(() => place.close());

  const refused = ({ status, body }: Answer, expected: number, code: string) => {
    expect(ErrorAnswer.parse(body)).toEqual(body);
    expect([status, body.error]).toEqual([expected, code]);
  };
  const countJobs = async () =>
    (await place.db.query<{ jobs: number }>(sql`select count(*) as jobs from jobs`))[0]?.jobs;

  it("has a code and a status for everything a request can get wrong, and nothing is written", async () => {
    const job = { kind: "quick", input: { n: 1 } };
    const json = { "content-type": "application/json" };
    const before = await countJobs();
    refused(await place.ask(`/api/jobs/${unknownId}`), 404, "NOT_FOUND");
    refused(await place.post(`/api/jobs/${unknownId}/cancel`), 404, "NOT_FOUND");
    refused(await place.post(`/api/jobs/${unknownId}/retry`), 404, "NOT_FOUND");
    refused(await place.ask(`/api/jobs/${unknownId}/items`), 404, "NOT_FOUND");
    refused(await place.ask(`/api/jobs/${unknownId}/events`), 404, "NOT_FOUND");
    refused(await place.ask(`/api/jobs/${unknownId}/stream`), 404, "NOT_FOUND");
    refused(await place.ask("/api/nothing"), 404, "NOT_FOUND");
    refused(await place.ask("/nothing.html"), 404, "NOT_FOUND");
    refused(await place.ask("/api/jobs", { method: "DELETE" }), 405, "METHOD_NOT_ALLOWED");
    for (const site of ["cross-site", "same-site"]) {
      refused(await place.post("/api/jobs", job, { "sec-fetch-site": site }), 403, "FOREIGN_PAGE");
    }
    refused(await place.post("/api/stats", {}), 405, "METHOD_NOT_ALLOWED");
    refused(await place.ask(`/api/jobs/${unknownId}/cancel`), 405, "METHOD_NOT_ALLOWED");
    refused(await place.ask("/api/jobs?cursor=abc"), 400, "INVALID_CURSOR");
    refused(await place.ask("/api/jobs?limit=0"), 400, "INVALID_PARAMETER");
    refused(await place.ask("/api/jobs/7"), 400, "INVALID_PARAMETER");
    refused(await place.post("/api/jobs", job, { "idempotency-key": "k".repeat(256) }), 400, "INVALID_PARAMETER");
    refused(await place.ask("/api/jobs", { method: "POST", body: "{", headers: json }), 400, "INVALID_JSON");
    refused(await place.ask("/api/jobs", { method: "POST", body: "kind=quick" }), 415, "UNSUPPORTED_MEDIA_TYPE");
    refused(await place.post("/api/jobs", { input: {} }), 422, "INVALID_REQUEST");
    refused(await place.post("/api/jobs", { ...job, priority: 101 }), 422, "INVALID_REQUEST");
    refused(await place.post("/api/jobs", { ...job, prio: 1 }), 422, "INVALID_REQUEST");
    refused(await place.post("/api/jobs", { kind: "nobody" }), 422, "UNKNOWN_KIND");
    refused(await place.post("/api/jobs", { kind: "quick", input: { n: "one" } }), 422, "INVALID_INPUT");
    refused(await place.post("/api/jobs", { kind: "anything", input: "\0" }), 422, "NOT_STORABLE");
    refused(await place.post("/api/jobs", { kind: "anything", input: { "\ud800": 1 } }), 422, "NOT_STORABLE");
    const random = Array.from({ length: 9_000 }, () => String.fromCharCode(0x4e00 + Math.random() * 20_000)).join("");
    refused(await place.post("/api/jobs", { kind: "locked", input: { gate: random } }), 422, "NOT_STORABLE");
    refused(await place.post("/api/jobs", { kind: "anything", input: "x".repeat(2 ** 20) }), 413, "BODY_TOO_LARGE");
    expect(await countJobs()).toBe(before);
  });

  it("counts a body whose length nobody told", async () => {
    const send = (body: string) => {
      const parts = Array.from({ length: Math.ceil(body.length / 50_000) }, (_, n) =>
        body.slice(n * 50_000, (n + 1) * 50_000),
      );
      const chunked = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("");
      const headers = "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
      return sendRaw(place, `POST /api/jobs HTTP/1.1\r\n${headers}\r\n\r\n${chunked}0\r\n\r\n`);
    };
    const withInput = (bytes: number) => JSON.stringify({ kind: "anything", input: "x".repeat(bytes) });
    expect(await send(withInput(900_000))).toBe(201);
    expect(await send(withInput(1_100_000))).toBe(413);
    expect(await send("{")).toBe(400);
  });

  it("lists every issue of an invalid request", async () => {
    const { body } = await place.post("/api/jobs", { kind: "Nobody", priority: 1.5, delayMs: -1, more: true });
    expect(body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      "",
      "delayMs",
      "kind",
      "priority",
    ]);
    const { body: input } = await place.post("/api/jobs", { kind: "pages", input: { pages: [1, "2"] } });
    expect(input.details.issues.map(({ path }: { path: string }) => path)).toEqual(["pages.0", "bad"]);
  });

  it("says which methods a path takes", async () => {
    const { headers } = await place.ask("/api/jobs", { method: "PATCH" });
    expect(headers.get("allow")).toBe("GET, POST, HEAD");
  });

  it("tells in which state a job is that cannot be changed", async () => {
    const id = await place.create("held", { gate: "never" });
    refused(await place.post(`/api/jobs/${id}/retry`), 409, "INVALID_TRANSITION");
    await place.post(`/api/jobs/${id}/cancel`);
    const again = await place.post(`/api/jobs/${id}/cancel`);
    refused(again, 409, "INVALID_TRANSITION");
    expect(again.body.details).toEqual({ from: "cancelled", to: "cancelled" });
  });

  it("names the job that holds a lock, for all but one of those who race for it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => place.post("/api/jobs", { kind: "locked", input: { gate: "raced" } })),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      refused(answer, 409, "LOCK_HELD");
      expect(answer.body.details).toEqual({ lockKey: "book:raced", jobId: created[0]?.body.id });
    }
  });

  it("lets a key make one job, however many race with it", async () => {
    const job = { kind: "held", input: { gate: "never" } };
    const key = { "idempotency-key": "raced" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => place.post("/api/jobs", job, key)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status, body }) => status === 201 && body.created)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 200 && !body.created)).toHaveLength(19);
    for (const other of [{ input: { gate: "other" } }, { priority: 1 }, { delayMs: 1 }]) {
      refused(await place.post("/api/jobs", { ...job, ...other }, key), 422, "IDEMPOTENCY_KEY_REUSED");
    }
  });

  it("keeps what is inside from the client, and leaves an id that finds it in the log", async () => {
    await place.db.query(sql`alter table job_stages rename to hidden_stages`);
    try {
      const answer = await place.ask("/api/jobs?limit=5");
      refused(answer, 500, "INTERNAL");
      expect(JSON.stringify(answer.body)).not.toContain("job_stages");
      const line = log.find(({ requestId }) => requestId === answer.body.requestId);
      expect(JSON.stringify(line)).toContain("job_stages");
    } finally {
      await place.db.query(sql`alter table hidden_stages rename to job_stages`);
    }
  });

  it("says that the database is away, when it is", async () => {
    const logger = silentLogger;
    const db = openDatabase({ url: "postgres://nobody@127.0.0.1:1/nothing", logger });
    const hints = openHints({ db, listenUrl: null, logger });
    const events = createEventHub({ db, hints, logger, pollMs: 1_000 });
    const engine = createEngine({ db, hints, logger, pipelines: [] });
    const server = await startHttpServer({ engine, events, logger, host: "127.0.0.1", port: 0 });
    try {
      const response = await fetch(`${server.url}/api/jobs`);
      expect(response.headers.get("retry-after")).toBe("2");
      refused(
        { status: response.status, body: await response.json(), headers: response.headers },
        503,
        "DATABASE_UNAVAILABLE",
      );
      const ready = await fetch(`${server.url}/readyz`);
      const message = "Cannot be reached.";
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { ready: false, checks: { database: { ok: false, message }, migrations: { ok: false, message } } },
      ]);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    } finally {
      await server.close();
      events.close();
      await hints.close();
      await db.close();
    }
  });

  it("is never a 5xx for bad input, whatever it is", async () => {
    const random = seeded(20_261_116);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const rubbish = () =>
      pick([
        "%",
        "%zz",
        "%00",
        "%ff%fe",
        "..%2f..%2fetc%2fpasswd",
        "\u{1f4a9}",
        "'; drop table jobs; --",
        "-1",
        "1e400",
        "NaN",
        "9".repeat(400),
        "a".repeat(3_000),
        "true",
        "null",
        "[]",
        "{}",
        " ",
        "",
        "\t",
        unknownId,
        unknownId.toUpperCase(),
        "00000000-0000-0000-0000-000000000000",
        "WyJhIl0",
        "W10",
        "bnVsbA",
        "eyJhIjoxfQ",
        "constructor",
        "__proto__",
      ]);
    const bodies = [
      "",
      "{",
      "null",
      "[]",
      "1",
      '"x"',
      "{}",
      '{"kind":1}',
      '{"kind":"quick","input":null}',
      '{"kind":"quick","input":{"n":1e999}}',
      '{"kind":"anything","input":"\\u0000"}',
      '{"kind":"anything","input":"\\ud800"}',
      '{"kind":"anything","input":{"__proto__":1}}',
      `{"kind":"anything","input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      '{"kind":"constructor"}',
      '{"kind":"__proto__"}',
      '{"kind":"anything","input":1e-400,"delayMs":31536000001}',
      '{"kind":"anything","delayMs":0.5}',
      "\ufeff{}",
      "x".repeat(1_100_000),
    ];
    const paths = [
      "/api/jobs",
      "/api/jobs/@",
      "/api/jobs/@/items",
      "/api/jobs/@/events",
      "/api/jobs/@/stream",
      "/api/jobs/@/cancel",
      "/api/jobs/@/retry",
      "/api/workers",
      "/api/stats",
      "/api/@",
      "/@",
      "/readyz",
      "/openapi.json",
    ];
    const names = ["limit", "cursor", "kind", "state", "batch", "after", "lastEventId", "@"];
    for (let round = 0; round < 400; round++) {
      const query = Array.from(
        { length: Math.floor(random() * 4) },
        () => `${pick(names).replace("@", rubbish())}=${rubbish()}`,
      );
      const target = `${pick(paths).replace("@", rubbish())}?${query.join("&")}`.replaceAll(
        /[\s\u{80}-\u{10ffff}]/gu,
        "_",
      );
      const method = pick(["GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]);
      const body = method === "POST" || method === "PUT" ? pick(bodies) : "";
      const headers = [
        "Host: localhost",
        "Connection: close",
        pick(["Content-Type: application/json", "Content-Type: text/plain", "Content-Type: ;;", "X-Nothing: 1"]),
        `${pick(["Last-Event-ID", "Idempotency-Key", "Accept", "X-Odd"])}: ${rubbish().replaceAll(/[^\x20-\xff]/g, "?")}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ];
      const status = await sendRaw(place, `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
      expect(status, `${method} ${target}\n${headers.join("\n")}\n${body.slice(0, 100)}`).toSatisfy(
        (code: number) => code >= 200 && code < 500,
      );
    }
    for (const line of [
      "",
      "GET",
      "GET / HTTP/9.9",
      "GET http:// HTTP/1.1",
      "GET \\ HTTP/1.1",
      "GET /a\0b HTTP/1.1",
      "* * *",
    ]) {
      expect(await sendRaw(place, `${line}\r\nHost: x\r\n\r\n`), line).toBeLessThan(500);
    }
    expect(await sendRaw(place, "GET /api/jobs HTTP/1.1\r\n\r\n")).toBe(400);
    expect(await sendRaw(place, "GET /api/jobs HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n")).toBe(400);
    expect(log.filter(({ requestId, level }) => level === 50 && requestId === undefined)).toEqual([]);
  });
});

/** The status of the answer to exactly these bytes. */
async function sendRaw({ server }: HttpPlace, text: string): Promise<number> {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => undefined);
  let answer = "";
  socket.setEncoding("latin1").on("data", (part: string) => {
    answer += part;
    // A stream that was asked for in good order goes on for ever.
    if (answer.includes("\r\n\r\n")) socket.destroy();
  });
  socket.write(text);
  await once(socket, "close");
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? Number.NaN);
}

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
