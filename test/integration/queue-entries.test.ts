/** Jobs that were enqueued together wait in one entry of the queue, and yet each is claimed, left and cancelled for itself. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { databaseClock as clock } from "../../src/db/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { claimJobs } from "../../src/jobs/queries/claim-jobs.ts";
import { readQueue } from "../../src/jobs/queries/read-queue.ts";
import { type ClaimingWorker, registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { readJob } from "../support/read-job.ts";
import { describeOnEachServer } from "../support/test-database.ts";

const input = z.object({ n: z.number().optional(), text: z.string().optional() });
const plain = pipeline("plain", { input }).stage("only", () => null);
const keyed = pipeline("keyed", { input, lockKey: ({ n }) => `key:${n}` }).stage("only", () => null);

describeOnEachServer("an entry of the queue", (server) => {
  let place: EnginePlace;
  let worker: ClaimingWorker;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [plain, keyed], server });
    worker = await registerClaimingWorker(place.db, ["plain", "keyed"]);
  });
  afterEach(() => place.close());

  const enqueue = (count: number) =>
    place.engine.enqueueMany(Array.from({ length: count }, (_, n) => plain.job({ n })));

  const sizes = async () => {
    const entries = await place.db.query<{ jobs: number }>(sql`select jobs from queue order by run_at, first_id`);
    return entries.map(({ jobs }) => jobs);
  };

  it("has a hundred jobs at the most, and is left in part by a claim that wants fewer", async () => {
    const ids = await enqueue(250);
    expect(await sizes()).toEqual([100, 100, 50]);
    const first = await worker.reserve(place.db, 130);
    expect(await sizes()).toEqual([70, 50]);
    const second = await worker.claim(place.db, 3);
    const rest = await worker.reserve(place.db, 1_000);
    expect(await sizes()).toEqual([]);
    const claimed = [...first, ...second, ...rest];
    expect(claimed.map(({ id }) => id)).toEqual(ids);
    expect(claimed.map(({ input }) => input)).toEqual(ids.map((_, n) => ({ n })));
  });

  it("has short inputs with it, and leaves long ones in the rows of the jobs", async () => {
    const texts = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? "long ".repeat(1_000) : `${n} short`.repeat(40)));
    const ids = await place.engine.enqueueMany(texts.map((text) => plain.job({ text })));
    const claimed = await worker.reserve(place.db, 30);
    const textById = new Map(claimed.map(({ id, input }) => [id, (input as { text: string }).text]));
    expect(ids.map((id) => textById.get(id))).toEqual(texts);
    const [row] = await place.db.query<{ bytes: number }>(
      sql`select pg_relation_size(reltoastrelid) as bytes from pg_class where relname = 'queue'`,
    );
    expect(row?.bytes).toBe(0);
  });

  it("loses those that are cancelled, and is gone with the last", async () => {
    const ids = await enqueue(5);
    for (const n of [0, 2, 4]) await place.engine.cancelJob(ids[n] as string);
    expect(await sizes()).toEqual([2]);
    const [claimed] = await worker.claim(place.db, 1);
    expect(claimed).toMatchObject({ id: ids[1], input: { n: 1 } });
    await place.engine.cancelJob(ids[3] as string);
    expect(await sizes()).toEqual([]);
  });

  it("knows the place of each job in it", async () => {
    const ids = await enqueue(150);
    const places = await Promise.all(
      [0, 42, 99, 100, 149].map(async (n) => {
        const id = ids[n] as string;
        const job = { id, kind: "plain", priority: 0, batchId: null, sequence: null };
        return (await readQueue(place.db, job, null, clock)).aheadInLane;
      }),
    );
    expect(places).toEqual([0, 42, 99, 100, 149]);
  });

  it("does not keep a claim from what is of higher priority, however few jobs that has in each", async () => {
    const low = await enqueue(250);
    const urgent: string[] = [];
    for (let n = 0; n < 10; n++) urgent.push((await place.engine.enqueue(plain.job({ n }, { priority: 50 }))).id);
    const claimed = [await worker.claim(place.db, 4), await worker.reserve(place.db, 8)].flat();
    expect(claimed.map(({ id }) => id)).toEqual([...urgent, ...low.slice(0, 2)]);
  });

  it("is thought to be like the first of its lane: a claim that was wrong leaves the lanes behind it alone", async () => {
    const low = await enqueue(100);
    const urgent = await place.engine.enqueueMany(low.map((_, n) => plain.job({ n }, { priority: 9 })));
    for (let n = 0; n < 2; n++) urgent.push((await place.engine.enqueue(plain.job({ n }, { priority: 9 }))).id);
    const kinds = [{ kind: "plain", limitName: null }];
    const claim = (count: number) => claimJobs(place.db, { workerId: worker.id, kinds, ahead: true, clock, count });
    const first = await claim(150);
    expect(first).toMatchObject({ more: true });
    const second = await claim(150);
    expect(second).toMatchObject({ more: false });
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual([...urgent, ...low]);
  });

  it("leaves the others alone when a job's lock key is taken", async () => {
    await place.engine.enqueue(keyed.job({ n: 7 }));
    const jobs = [plain.job({}), plain.job({}), keyed.job({ n: 7 })];
    await expect(place.engine.enqueueMany(jobs)).rejects.toMatchObject({ code: "LOCK_HELD" });
    expect(await sizes()).toEqual([1]);
  });

  it("that another claim has locked is said to be, so that who found nothing asks again", async () => {
    const [first, second] = await enqueue(2);
    const kinds = [{ kind: "plain", limitName: null }];
    const other = await registerClaimingWorker(place.db, ["plain"]);
    await place.db.transaction(async (tx) => {
      expect(await worker.claim(tx, 1)).toMatchObject([{ id: first }]);
      const found = await claimJobs(place.db, { workerId: other.id, kinds, count: 1, clock });
      expect(found).toMatchObject({ jobs: [], contended: true, more: false });
    });
    const found = await claimJobs(place.db, { workerId: other.id, kinds, count: 5, clock });
    expect(found).toMatchObject({ jobs: [{ id: second }], contended: false, more: false });
  });

  it("gives each job to a claim or to a cancel, never to both and never to neither", async () => {
    const ids = await enqueue(400);
    const workers = await Promise.all(Array.from({ length: 4 }, () => registerClaimingWorker(place.db, ["plain"])));
    const cancelled: string[] = [];
    const claimed: string[] = [];
    let cancelling = true;
    const claimAll = async (claiming: ClaimingWorker, ahead: boolean) => {
      for (;;) {
        const last = !cancelling;
        const jobs = await (ahead ? claiming.reserve(place.db, 7) : claiming.claim(place.db, 3));
        // What is claimed can be cancelled still: what counts is that its holder gets no word in then.
        for (const job of jobs) {
          if ((await claiming.change(place.db, job, { transition: "complete" })).length === 1) claimed.push(job.id);
        }
        if (jobs.length === 0 && last && (await sizes()).length === 0) return;
      }
    };
    const cancelSome = async () => {
      for (let n = 399; n >= 0; n -= 3) {
        const done = await place.engine.cancelJob(ids[n] as string).then(
          () => true,
          () => false,
        );
        if (done) cancelled.push(ids[n] as string);
      }
      cancelling = false;
    };
    await Promise.all([cancelSome(), ...workers.map((claiming, n) => claimAll(claiming, n % 2 === 0))]);
    expect([...claimed, ...cancelled].toSorted()).toEqual(ids.toSorted());
    for (const id of cancelled) expect(await readJob(place.db, id)).toMatchObject({ status: "cancelled" });
    expect(await sizes()).toEqual([]);
  });
});
