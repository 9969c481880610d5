/** Promise 6: limits hold exactly, under any number of racing workers, and nothing is left waiting behind them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import type { ClaimedJob } from "../../src/jobs/queries/claim-jobs.ts";
import { limited, perBatch, shared } from "../fixtures/pipelines/limits.ts";
import { registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { describeOnEachServer } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const file = import.meta.resolve("../fixtures/pipelines/limits.ts");

describe("limits under eight processes", () => {
  const workers = useWorkerProcesses();
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [limited] });
  });
  afterEach(() => place.close());

  it("are never exceeded by 100 batches, and reached", async () => {
    const { db, engine } = place;
    await numberEventsAsTheyHappen(place);
    // Five batches outlast the others: then it is their own limit that holds them, not the global one.
    for (let batch = 0; batch < 100; batch++) {
      const jobs = batch % 20 === 0 ? 30 : 4;
      await engine.createBatch({ pipeline: limited, jobs: Array.from({ length: jobs }, () => limited.job({})) });
    }
    const started = await workers.startMany(8, { url: place.url, pipelines: file, slots: 8 });
    // One statement, one snapshot: what anyone could have seen at that instant.
    const seen: { running: number; inOneBatch: number; counted: number }[] = [];
    await until(async () => {
      const [sample] = await db.query<{ running: number; inOneBatch: number; counted: number; active: number }>(sql`
        select (select count(*) from jobs where status = 'running') as running,
          (select coalesce(max(n), 0) from (select count(*) as n from jobs where status = 'running' group by batch_id) b) as in_one_batch,
          (select running from job_limits where name = ${shared.name}) as counted,
          (select count(*) from jobs where status in ('pending', 'running')) as active`);
      if (sample) seen.push(sample);
      return sample?.active === 0;
    });
    await Promise.all(started.map((worker) => worker.terminate()));
    expect(Math.max(...seen.map(({ running }) => running))).toBeLessThanOrEqual(shared.max);
    expect(Math.max(...seen.map(({ inOneBatch }) => inOneBatch))).toBeLessThanOrEqual(perBatch);
    expect(seen.filter(({ running, counted }) => running !== counted)).toEqual([]);

    const [log] = await db.query(sql`
      select count(distinct stream_id) as jobs, max(running) as running, max(in_batch) as in_batch from (
        select e.stream_id, sum(step) over (order by o.place) as running, sum(step) over (partition by j.batch_id order by o.place) as in_batch
        from events e
        join event_order o using (stream_id, number)
        join jobs j on j.id = e.stream_id
        join (values ('job_started', 1), ('job_completed', -1), ('job_released', -1)) as s (type, step) on s.type = e.type) e`);
    expect(log).toEqual({ jobs: 530, running: shared.max, inBatch: perBatch });
    const [left] = await db.query(
      sql`select sum(running) as turns, (select running from job_limits) as limits from batch_turns`,
    );
    expect(left).toEqual({ turns: 0, limits: 0 });
  });
});

describeOnEachServer("a limited job", (server) => {
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [limited], server });
    await place.db.query(sql`insert into job_limits (name, max_running) values (${shared.name}, ${shared.max})`);
  });
  afterEach(() => place.close());

  it("that is handed back while another claim waits for the limit is found by the next one", async () => {
    const { db, engine } = place;
    const { jobIds } = await engine.createBatch({ pipeline: limited, jobs: [limited.job({}), limited.job({})] });
    const worker = await registerClaimingWorker(db, [{ kind: "limited", limitName: shared.name }]);
    const job = await worker.claimOne(db);
    let waitingClaim: Promise<ClaimedJob[]> | undefined;
    await db.transaction(async (tx) => {
      await worker.change(tx, job, { transition: "release" });
      waitingClaim = worker.claim(db, 10);
      await place.someoneWaits();
    });
    const claimed = [...((await waitingClaim) ?? []), ...(await worker.claim(db, 10))];
    expect(claimed.map(({ id }) => id).toSorted()).toEqual(jobIds.toSorted());
  });
});

describe("a changed limit", () => {
  const input = z.object({});
  let place: EnginePlace;
  let engines: TestEngine[];
  let finish: Map<string, () => void>;

  beforeEach(async () => {
    engines = [];
    finish = new Map();
    place = await openEnginePlace({ pipelines: [held(1)] });
  });
  afterEach(async () => {
    for (const end of finish.values()) end();
    await Promise.all(engines.map((engine) => engine.close()));
    await place.close();
  });

  it("takes effect with the next worker that starts, up and down", async () => {
    const jobIds = await place.engine.enqueueMany(Array.from({ length: 8 }, () => held(1).job({})));
    await startWith(2);
    await until(() => finish.size === 2);
    await startWith(5);
    await until(() => finish.size === 5);
    await startWith(1);
    // Five run and one is allowed: four must end before another one starts.
    const running = [...finish.keys()];
    for (const id of running.slice(0, 4)) {
      finish.get(id)?.();
      await place.allEnded([id]);
    }
    expect(await countRunning()).toBe(1);
    expect(finish.size).toBe(5);
    finish.get(running[4] as string)?.();
    await until(() => finish.size === 6);
    for (;;) {
      const next = (await place.db.query<{ id: string }>(sql`select id from jobs where status = 'running'`))[0];
      expect(await countRunning()).toBeLessThanOrEqual(1);
      if (next) finish.get(next.id)?.();
      const [left] = await place.db.query(sql`select from jobs where status in ('pending', 'running') limit 1`);
      if (!left) break;
    }
    await place.allEnded(jobIds);
  });

  function held(max: number) {
    return pipeline("held", { input, limit: { name: "held", max } }).stage(
      "hold",
      ({ job }) => new Promise<void>((resolve) => finish.set(job.id, resolve)),
    );
  }

  async function countRunning(): Promise<number> {
    const [row] = await place.db.query<{ running: number }>(
      sql`select count(*) as running from jobs where status = 'running'`,
    );
    return row?.running ?? 0;
  }

  async function startWith(max: number): Promise<void> {
    const engine = openTestEngine({ url: place.url, pipelines: [held(max)] });
    engines.push(engine);
    await engine.startWorker({ slots: 8 });
  }
});

/** Numbers jobs' events in the order of the locks they were written under: triggers fire while those are still held. */
async function numberEventsAsTheyHappen({ db }: EnginePlace): Promise<void> {
  await db.query(sql`create table event_order (place bigserial, stream_id uuid not null, number integer not null)`);
  await db.query(sql`
    create function note_order() returns trigger language plpgsql as $$
    begin
      insert into event_order (stream_id, number) values (new.id, new.last_event);
      return null;
    end $$`);
  await db.query(sql`
    create trigger in_order after update of last_event on jobs
    for each row when (new.last_event > old.last_event) execute function note_order()`);
}
