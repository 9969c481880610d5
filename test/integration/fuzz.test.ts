/**
 * Every operation of the API under thousands of malformed requests, made by chance from a seed: each is answered, never with an
 * error of the server, always in the words of the contract; and afterwards the server works as before and has kept nothing
 * of what it refused. DOCMILL_FUZZ_SEED and DOCMILL_FUZZ_REQUESTS choose another run, or a longer one.
 */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDocumentClient } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { type FuzzTarget, fuzz } from "../support/fuzz/fuzz.ts";
import { type FuzzPlace, type GuardedServer, openFuzzPlace } from "../support/fuzz/fuzz-place.ts";
import type { HostileRequest } from "../support/fuzz/hostile-requests.ts";
import type { RawAnswer } from "../support/fuzz/send-raw.ts";
import { until } from "../support/until.ts";

const seed = process.env.DOCMILL_FUZZ_SEED ?? "docmill";
const requests = Number(process.env.DOCMILL_FUZZ_REQUESTS ?? 4_000);
/** For what needs no longer look. */
const few = Math.ceil(requests / 8);
/** Far above what comes and goes, far below what thousands of requests would leave behind. */
const mostGrownMb = 400;

let place: FuzzPlace;

beforeAll(async () => {
  place = await openFuzzPlace();
});
afterAll(() => place[Symbol.asyncDispose]());

describe(`${requests} requests of seed "${seed}"`, () => {
  it("are all answered, in the words of the contract, without ever more memory", { timeout: 3_600_000 }, async () => {
    const first = await fuzz(place, { seed, requests: Math.ceil(requests / 2) });
    const afterFirst = await place.memoryMb();
    const second = await fuzz(place, { seed: `${seed} again`, requests: Math.floor(requests / 2) });
    const grown = (await place.memoryMb()) - afterFirst;
    expect([...first.complaints, ...second.complaints].join("\n\n")).toBe("");
    expect(grown).toBeLessThan(mostGrownMb);
  });

  it("leave a server that works, and nothing of what was refused", async () => {
    await place.clearQueue();
    const client = openDocumentClient(place.url);
    const { id } = await client.upload({ name: "after.txt", bytes: Buffer.from("All is well after that.") });
    expect(await client.reaches(id, ({ status }) => status !== "Processing")).toMatchObject({ status: "Ready" });
    await until(async () => (await place.findOrphans()).length === 0);
  });
});

describe("readers of streams who behave badly", () => {
  it("cost nobody anything: those who never read, who leave half-way, who hang up while they ask", async () => {
    const { ids } = await place.fill();
    const paths = [
      "/api/stream",
      `/api/jobs/${ids.jobs?.[0]}/stream?lastEventId=0`,
      `/api/batch/${ids.batch?.[0]}/stream`,
    ];
    const before = await place.memoryMb();
    const sockets = paths.flatMap((path) => Array.from({ length: 40 }, (_, n) => openBadReader(place.port, path, n)));
    // Meanwhile whoever reads is told.
    const reader = await openStream(`${place.url}/api/stream`);
    expect((await reader.next())?.type).toBe("activity");
    const client = openDocumentClient(place.url);
    const { id } = await client.upload({ name: "told.txt", bytes: Buffer.from("Told to those who listen.") });
    await until(async () => JSON.parse((await reader.next())?.data ?? "{}").jobs?.length > 0);
    await reader.drop();
    await client.reaches(id, ({ status }) => status === "Ready");
    for (const socket of sockets) socket.destroy();
    expect((await place.memoryMb()) - before).toBeLessThan(mostGrownMb);
  });
});

describe("where keys are asked for", () => {
  let guarded: FuzzTarget & GuardedServer;

  beforeAll(async () => {
    const known = await place.fill();
    await place.clearQueue();
    guarded = { ...(await place.startGuarded()), secrets: place.secrets, fill: async () => known };
  });

  it("nobody gets anything without one, but what is everybody's", async () => {
    const before = await place.fingerprint();
    const { complaints } = await fuzz(guarded, { seed: `${seed} without`, requests: few, judge: refuseStrangers });
    expect(complaints.join("\n\n")).toBe("");
    expect(await place.fingerprint()).toEqual(before);
  });

  it("whoever may only read changes nothing, however it is asked for", async () => {
    const before = await place.fingerprint();
    const headers = [`Authorization: Bearer ${guarded.keys.read}`];
    const { complaints, statuses } = await fuzz(guarded, { seed: `${seed} reading`, requests: few, headers });
    expect(complaints.join("\n\n")).toBe("");
    expect(statuses[200]).toBeGreaterThan(0);
    expect(statuses[403]).toBeGreaterThan(0);
    expect(await place.fingerprint()).toEqual(before);
  });
});

function openBadReader(port: number, path: string, manner: number): Socket {
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  switch (manner % 3) {
    case 0:
      socket.pause().write(request);
      break;
    case 1:
      socket.end(request);
      break;
    default:
      socket.write(request.slice(0, -4), () => socket.destroy());
  }
  return socket;
}

const everybodys = /^\/(healthz|readyz|openapi\.json|docs|api\/session|api\/results)/;

function refuseStrangers({ operation }: HostileRequest, { status = 0 }: RawAnswer): string[] {
  if (!operation || everybodys.test(operation.path) || status >= 400 || status === 0) return [];
  return [`a stranger was answered ${status}`];
}
