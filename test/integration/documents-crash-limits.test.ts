/** The limit on paid calls holds over all processes, and a process that dies in the middle of a call gives its place back. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type CallMeter, startCallMeter } from "../support/call-meter.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { makeTopicBook } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

let service: FakeService;
let meter: CallMeter;
let place: DocumentPlace;

beforeEach(async () => {
  service = await startFakeOpenAi();
  meter = await startCallMeter(service.url);
  place = await openDocumentPlace({
    settings: {
      MAX_CONCURRENT_AI_CALLS: "2",
      DOCMILL_CONCURRENCY: "4",
      DOCMILL_EMBEDDINGS_URL: `${meter.url}/v1`,
      DOCMILL_EMBEDDINGS_DIMENSIONS: "64",
    },
  });
});

afterEach(async () => {
  await place.close();
  await meter.close();
  await service.close();
});

async function bringBooks(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await place.upload(makeTopicBook(`book-${number}`, [`topic ${number}`]));
  }
}

async function expectAllReady(count: number): Promise<void> {
  await place.atRest();
  expect((await place.ask("/api/documents?status=Ready&limit=100")).body.items).toHaveLength(count);
  expect(await place.db.query(sql`select from call_slots where holder is not null`)).toEqual([]);
  expect(service.calls().map(({ requests, paid }) => [requests, paid])).toEqual(Array(count).fill([1, 1]));
}

it("two processes that could make eight calls at once make two", async () => {
  await Promise.all([place.startDocmillWorker(), place.startDocmillWorker()]);
  await bringBooks(16);
  await expectAllReady(16);
  expect(meter.most).toBe(2);
  expect(await place.db.query(sql`select from job_errors`)).toEqual([]);
});

it("the slots of a process that was killed are others' at once", async () => {
  meter.hold();
  const victim = await place.startDocmillWorker();
  await bringBooks(4);
  await until(() => meter.underWay === 2);
  const heir = await place.startDocmillWorker();
  victim.kill("SIGKILL");
  await victim.ended;
  await until(async () => {
    const held = await place.db.query(sql`
      select from call_slots s join workers w on w.id = s.holder where w.pid = ${heir.pid}`);
    return held.length === 2 && meter.underWay === 2;
  });
  meter.release();
  await expectAllReady(4);
  expect(meter.most).toBe(2);
});
