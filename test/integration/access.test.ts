/** Who may use a server: keys, scopes, sessions, rate limits and the audit log, on a real server with a real database. */
import { get } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Access, createAccess } from "../../src/access/access.ts";
import { createKey } from "../../src/access/api-keys.ts";
import type { KeyScope } from "../../src/contract/access.ts";
import { sql } from "../../src/db/sql.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";

let place: HttpPlace;
let access: Access;
let keys: Record<KeyScope, string>;

beforeAll(async () => {
  place = await openHttpPlace({ access: { keysRequired: true }, keepAliveMs: 50 });
  access = createAccess({ db: place.db, logger: silentLogger, keysRequired: true, sessionHours: 1 });
});
afterAll(() => place.close());

beforeEach(async () => {
  const make = async (scope: KeyScope) => (await createKey(place.db, { name: `a ${scope} key`, scope })).key;
  keys = { read: await make("read"), write: await make("write"), admin: await make("admin") };
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const askAs = (key: string, path: string, init: RequestInit = {}) =>
  place.ask(path, { ...init, headers: { ...bearer(key), ...(init.headers as Record<string, string>) } });
const postAs = (key: string, path: string, body?: unknown) => place.post(path, body, bearer(key));
/** What somebody has who has read the table, in the shape of a secret. */
async function readStoredHash(key: string): Promise<string> {
  const [row] = await place.db.query<{ secretHash: Buffer }>(
    sql`select secret_hash from api_keys where prefix = ${key.slice(0, 13)}`,
  );
  return (row as { secretHash: Buffer }).secretHash.toString("base64url");
}
const job = { kind: "echo", input: { text: "x" } };

describe("keys", () => {
  it("without one nothing is shown and nothing is done, but for what is everyone's", async () => {
    for (const path of ["/api/jobs", "/api/stats", "/api/keys", "/api/audit", "/api/nowhere", "/api/stream"]) {
      const { status, body, headers } = await place.ask(path);
      expect({ path, status, error: body.error }).toEqual({ path, status: 401, error: "UNAUTHORIZED" });
      expect(headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await place.post("/api/jobs", job)).status).toBe(401);
    expect((await place.post("/anything", job)).status).toBe(401);
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/api/session"]) {
      expect((await place.ask(path)).status).toBe(200);
    }
  });

  it("the words of a refusal are those of the path", async () => {
    expect((await place.ask("/api/batch/x")).body).toMatchObject({ success: false, error: "UNAUTHORIZED" });
    expect((await place.ask("/admin/books")).body).toEqual({ detail: expect.stringContaining("API key") });
  });

  it("each scope may do what it says, and no more", async () => {
    const fates = async (key: string) => [
      (await askAs(key, "/api/jobs")).status,
      (await postAs(key, "/api/jobs", job)).status,
      (await askAs(key, "/api/keys")).status,
      (await postAs(key, "/api/keys", { name: "another" })).status,
      (await askAs(key, "/api/audit")).status,
    ];
    expect(await fates(keys.read)).toEqual([200, 403, 403, 403, 403]);
    expect(await fates(keys.write)).toEqual([200, 422, 403, 403, 403]);
    expect(await fates(keys.admin)).toEqual([200, 422, 200, 201, 200]);
    const refused = await postAs(keys.read, "/api/jobs", job);
    expect(refused.body).toMatchObject({ error: "FORBIDDEN", details: { needs: "write", has: "read" } });
  });

  it.each([
    ["another secret", (key: string) => `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`],
    ["the beginning only", (key: string) => key.slice(0, 13)],
    ["no key at all", () => "dm_"],
    ["the hash instead of the secret", async (key: string) => `${key.slice(0, 14)}${await readStoredHash(key)}`],
  ])("%s is refused", async (_, spoil) => {
    const { status, body } = await askAs(await spoil(keys.read), "/api/jobs");
    expect([401, 429]).toContain(status);
    expect(JSON.stringify(body)).not.toContain(keys.read.slice(14));
  });

  it("is shown once, kept as a hash, and never in a list or the log", async () => {
    const { body } = await postAs(keys.admin, "/api/keys", { name: "shown once", scope: "read", expiresInDays: 2 });
    expect(body).toMatchObject({ name: "shown once", scope: "read", prefix: body.key.slice(0, 13), revokedAt: null });
    expect((await askAs(body.key, "/api/jobs")).status).toBe(200);
    const secret = body.key.slice(14);
    const listed = await askAs(keys.admin, "/api/keys");
    const audited = await askAs(keys.admin, "/api/audit");
    expect(JSON.stringify([listed.body, audited.body])).not.toContain(secret);
    const rows = await place.db.query(
      sql`select to_jsonb(k) as k from api_keys k union all select to_jsonb(a) from audit_log a`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("revoked or expired is refused at once, and its sessions are over", async () => {
    const { body: created } = await postAs(keys.admin, "/api/keys", { name: "short" });
    const cookie = await signIn(created.key);
    expect((await place.ask("/api/jobs", { headers: { cookie } })).status).toBe(200);
    const gone = await askAs(keys.admin, `/api/keys/${created.id}`, { method: "DELETE" });
    expect(gone.body).toMatchObject({ id: created.id, revokedAt: expect.any(String) });
    expect((await askAs(created.key, "/api/jobs")).body.error).toBe("WRONG_KEY");
    expect((await place.ask("/api/jobs", { headers: { cookie } })).body.error).toBe("UNAUTHORIZED");

    const old = await createKey(place.db, { name: "old", scope: "admin" });
    await place.db.query(sql`update api_keys set expires_at = now() - interval '1 s' where id = ${old.id}`);
    expect(await access.identify({ key: old.key })).toBeUndefined();
  });

  it("revoked by another process is refused soon, and its open streams end", async () => {
    const { key, id } = await createKey(place.db, { name: "elsewhere", scope: "read" });
    const stream = await fetch(`${place.url}/api/stream`, { headers: bearer(key) });
    expect(stream.status).toBe(200);
    await access.revokeKey(id);
    await until(async () => (await askAs(key, "/api/jobs")).status !== 200);
    for await (const _ of stream.body as ReadableStream<Uint8Array>);
  });

  it("the last key of scope admin stays, whoever races to revoke it", async () => {
    await place.db.query(sql`update api_keys set revoked_at = now() where scope = 'admin'`);
    const [one, other] = await Promise.all(
      ["one", "other"].map((name) => createKey(place.db, { name, scope: "admin" })),
    );
    const fates = await Promise.all(
      [one, other].map((key) =>
        access.revokeKey(key?.id as string).then(
          () => "revoked",
          ({ code }) => code,
        ),
      ),
    );
    expect(fates.sort()).toEqual(["LAST_ADMIN_KEY", "revoked"]);
  });

  it("an unknown one is not found", async () => {
    const nobody = "00000000-0000-4000-8000-000000000000";
    expect((await askAs(keys.admin, `/api/keys/${nobody}`, { method: "DELETE" })).status).toBe(404);
  });
});

async function signIn(key: string): Promise<string> {
  const { status, headers } = await place.post("/api/session", { key });
  expect(status).toBe(200);
  return (headers.get("set-cookie") as string).split(";", 1)[0] as string;
}

describe("a browser's session", () => {
  it("begins with a key and is held in a cookie that no script and no other site gets at", async () => {
    const { body, headers } = await place.post("/api/session", { key: keys.write });
    expect(body).toEqual({
      keysRequired: true,
      user: { keyId: expect.any(String), name: "a write key", scope: "write", sessionEndsAt: expect.any(String) },
    });
    expect(headers.get("set-cookie")).toMatch(
      /^docmill_session=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/,
    );
    const cookie = (headers.get("set-cookie") as string).split(";", 1)[0] as string;
    expect((await place.ask("/api/session", { headers: { cookie } })).body.user.name).toBe("a write key");
    expect((await place.post("/api/jobs", job, { cookie })).status).toBe(422);
    expect((await place.ask("/api/keys", { headers: { cookie } })).status).toBe(403);
  });

  it("its token is no key, and a key no token, however lately they were used", async () => {
    const cookie = await signIn(keys.write);
    const token = cookie.slice(cookie.indexOf("=") + 1);
    expect((await place.ask("/api/jobs", { headers: { cookie } })).status).toBe(200);
    expect((await place.post("/api/session", { key: token })).status).toBe(401);
    expect((await askAs(token, "/api/jobs")).status).toBe(401);
    expect((await askAs(keys.write, "/api/jobs")).status).toBe(200);
    const asToken = { cookie: `docmill_session=${keys.write}` };
    expect((await place.ask("/api/jobs", { headers: asToken })).status).toBe(401);
  });

  it("ends when its person signs out", async () => {
    const cookie = await signIn(keys.read);
    const { body, headers } = await place.ask("/api/session", { method: "DELETE", headers: { cookie } });
    expect(body).toEqual({ keysRequired: true, user: null });
    expect(headers.get("set-cookie")).toMatch(/^docmill_session=; Max-Age=0;/);
    expect((await place.ask("/api/jobs", { headers: { cookie } })).status).toBe(401);
  });

  it("does nothing for a page of another site", async () => {
    const cookie = await signIn(keys.admin);
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ];
    for (const headers of foreign) {
      const { status, body } = await place.post("/api/keys", { name: "planted" }, { cookie, ...headers });
      expect({ status, error: body.error }).toEqual({ status: 403, error: "FOREIGN_PAGE" });
    }
    const own = { cookie, origin: place.url };
    expect((await place.post("/api/keys", { name: "wanted" }, own)).status).toBe(201);
  });

  it("is not had for a wrong key, which is logged and, often, refused for a while", async () => {
    const tries = await Promise.all(Array.from({ length: 30 }, () => place.post("/api/session", { key: "dm_wrong" })));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const refused = tries.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    // Who has the right key is not kept out by somebody who has not.
    expect((await place.post("/api/session", { key: keys.read })).status).toBe(200);
    const { body } = await askAs(keys.admin, "/api/audit?limit=200");
    expect(body.items.map(({ action }: { action: string }) => action)).toContain("session.refused");
  });
});

it("the audit log names who did what, newest first, page by page", async () => {
  const { body: created } = await postAs(keys.admin, "/api/keys", { name: "audited", scope: "read" });
  await askAs(keys.admin, `/api/keys/${created.id}`, { method: "DELETE" });
  const first = await askAs(keys.admin, "/api/audit?limit=1");
  expect(first.body.items).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(String),
      actor: "a admin key",
      address: "127.0.0.1",
      action: "key.revoke",
      target: created.id,
      details: { name: "audited", scope: "read", expiresAt: null },
    },
  ]);
  const second = await askAs(keys.admin, `/api/audit?limit=1&before=${first.body.nextBefore}`);
  expect(second.body.items[0]).toMatchObject({ action: "key.create", target: created.id });
});

describe("an open server", () => {
  it("asks nobody, but holds a key that is shown to its scope", async () => {
    await using open = await openHttpPlace({ access: { keysRequired: false } });
    const { key } = await createKey(open.db, { name: "reader", scope: "read" });
    expect((await open.ask("/api/session")).body).toEqual({
      keysRequired: false,
      user: { keyId: null, name: null, scope: "admin", sessionEndsAt: null },
    });
    expect((await open.ask("/api/keys")).status).toBe(200);
    expect((await open.post("/api/keys", { name: "x" }, bearer(key))).status).toBe(403);
    expect((await open.ask("/api/jobs", { headers: bearer("dm_wrong") })).status).toBe(401);
  });

  it("does not work for a page of another site, but lets people follow a link", async () => {
    await using open = await openHttpPlace({ access: { keysRequired: false } });
    // Not by fetch, which says itself how it asks.
    const ask = (headers: Record<string, string>, path = "/api/stats") =>
      new Promise<number | undefined>((resolve, reject) => {
        get(open.url + path, { headers, agent: false }, (response) => resolve(response.resume().statusCode)).on(
          "error",
          reject,
        );
      });
    expect(await ask({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).toBe(403);
    expect(await ask({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" })).toBe(403);
    expect(await ask({ origin: "https://evil.example" })).toBe(403);
    expect(await ask({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBe(200);
    expect(await ask({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" })).toBe(200);
    expect(await ask({ "sec-fetch-site": "cross-site" }, "/healthz")).toBe(200);
  });

  it("answers to this machine's names only, whatever name leads to it", async () => {
    await using open = await openHttpPlace({ access: { keysRequired: false } });
    const port = Number(new URL(open.url).port);
    const askFor = (host: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = "";
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(`GET /api/stats HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
        );
        socket.setEncoding("utf8").on("data", (text) => {
          answer += text;
        });
        socket.on("end", () => resolve(answer.split(" ")[1] as string)).on("error", reject);
      });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "docmill.localhost"]) {
      expect([host, await askFor(host)]).toEqual([host, "200"]);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example", "10.0.0.1"]) {
      expect([host, await askFor(host)]).toEqual([host, "421"]);
    }
  });
});

it("codes of shared results are not to be guessed at speed", async () => {
  await using shared = await openHttpPlace({ access: { keysRequired: true } });
  const statuses = new Set<number>();
  for (let i = 0; i < 100 && !statuses.has(429); i++) statuses.add((await shared.ask(`/api/results/guess${i}`)).status);
  expect(statuses).toEqual(new Set([404, 429]));
});

it("whoever creates too much has to wait, each key for itself", async () => {
  await using limited = await openHttpPlace({ access: { keysRequired: true }, ratePerMinute: 2 });
  const [one, other] = await Promise.all(
    ["one", "other"].map(async (name) => (await createKey(limited.db, { name, scope: "write" })).key),
  );
  const post = (key: string | undefined) => limited.post("/api/jobs", job, bearer(key as string));
  expect([(await post(one)).status, (await post(one)).status]).toEqual([422, 422]);
  const refused = await post(one);
  expect(refused).toMatchObject({ status: 429, body: { error: "RATE_LIMITED" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await post(other)).status).toBe(422);
  expect((await limited.ask("/api/jobs", { headers: bearer(one as string) })).status).toBe(200);
});
