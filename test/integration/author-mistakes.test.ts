/** What a pipeline's author gets wrong stays that pipeline's affair, and is said where it can be seen. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";

const input = z.object({});
const missing = "no such file or folder here";

const careless = pipeline("careless", { input })
  .stage("only", () => 1)
  .afterBatch(() => {
    throw new Error("no idea what follows");
  });
const forgetful = pipeline("forgetful", { input }).stage("loop", async ({ items }) => {
  const { failures } = await items(["a"], { key: (item) => item }, async (_, { commit }) => {
    commit(async () => 1);
    return 2;
  });
  return Object.fromEntries(failures);
});
const reading = pipeline("reading", { input }).stage("read", () => {
  throw Object.assign(new Error(missing), { code: "ENOENT", syscall: "open" });
});
const mistaken = pipeline("mistaken", {
  input,
  about: () => {
    throw new Error("no idea what it is about");
  },
}).stage("only", () => 1);
const pipelines = [careless, forgetful, reading, mistaken];

let place: EnginePlace;
let engine: TestEngine;

beforeEach(async () => {
  place = await openEnginePlace({ pipelines });
  engine = openTestEngine({ url: place.url, pipelines });
  await engine.startWorker();
});
afterEach(async () => {
  await engine.close();
  await place.close();
});

it("a follow-up that throws does not undo the end of its batch", async () => {
  const { id, jobIds } = await place.engine.createBatch({ pipeline: careless, jobs: [careless.job({})] });
  await place.allEnded(jobIds);
  const [batch] = await place.db.query(sql`select status, last_event from batches where id = ${id}`);
  const events = await place.db.query<{ type: string; data: object }>(
    sql`select type, data from events where stream_id = ${id} order by number`,
  );
  expect(events.map(({ type }) => type).slice(-2)).toEqual(["batch_completed", "batch_follow_up_failed"]);
  expect(events.at(-1)?.data).toEqual({ errorCode: "UNKNOWN", errorMessage: "no idea what follows" });
  expect(batch).toEqual({ status: "completed", lastEvent: events.length });
});

it("an item's commit that is not returned fails the item", async () => {
  const { id } = await place.engine.enqueue(forgetful.job({}));
  await place.allEnded([id]);
  const [job] = await place.db.query(
    sql`select result -> 'a' ->> 'code' as code, failed_items from jobs where id = ${id}`,
  );
  expect(job).toEqual({ code: "COMMIT_NOT_RETURNED", failedItems: 1 });
});

it("what cannot say what it is about is run all the same", async () => {
  const { id } = await place.engine.enqueue(mistaken.job({}));
  await place.allEnded([id]);
  const [job] = await place.db.query<{ status: string }>(sql`select status from jobs where id = ${id}`);
  expect(job?.status).toBe("completed");
});

it("a missing file is not a missing database", async () => {
  const { id } = await place.engine.enqueue(reading.job({}));
  await place.allEnded([id]);
  const [job] = await place.db.query(sql`select error_code, error_message, attempts from jobs where id = ${id}`);
  expect(job).toEqual({ errorCode: "UNKNOWN", errorMessage: missing, attempts: 1 });
});
