/** Promise 6: waiting batches take turns, so that a huge one does not starve the small ones. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { limited, shared } from "../fixtures/pipelines/limits.ts";
import { registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { describeOnEachServer } from "../support/test-database.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const file = import.meta.resolve("../fixtures/pipelines/limits.ts");
const hugeSize = 1_000;
const smallBatches = 5;
const smallSize = 3;

describeOnEachServer("batches", (server) => {
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [limited], server });
  });
  afterEach(() => place.close());

  it("take turns, one job each, whoever came first", async () => {
    const { db } = place;
    await db.query(sql`insert into job_limits (name, max_running) values (${shared.name}, ${shared.max})`);
    const { huge, small } = await createBatches(place);
    const worker = await registerClaimingWorker(db, [{ kind: "limited", limitName: shared.name }]);
    const order: (string | null)[] = [];
    while (order.length < (smallBatches + 1) * smallSize) {
      const job = await worker.claimOne(db);
      order.push(job.batchId);
      await worker.change(db, job, { transition: "complete" });
    }
    const rounds = Array.from({ length: smallSize }, (_, round) =>
      order.slice(round * (smallBatches + 1), (round + 1) * (smallBatches + 1)),
    );
    for (const round of rounds) expect(round.toSorted()).toEqual([huge, ...small].toSorted());
  });
});

describe("a batch of a thousand", () => {
  const workers = useWorkerProcesses();
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [limited] });
  });
  afterEach(() => place.close());

  it("does not keep later batches of three waiting", async () => {
    const { db } = place;
    const { huge, small } = await createBatches(place);
    const started = await workers.startMany(2, { url: place.url, pipelines: file, slots: 2 });
    await place.allEnded(await jobsOf(small));
    const [before] = await db.query<{ jobs: number }>(sql`
      select count(*) as jobs from events e join jobs j on j.id = e.stream_id
      where e.type = 'job_started' and j.batch_id = ${huge} and e.created_at < (
        select max(e.created_at) from events e join jobs j on j.id = e.stream_id
        where e.type = 'job_started' and j.batch_id = any (${small}::uuid[]))`);
    await Promise.all(started.map((worker) => worker.terminate()));
    // In three rounds the huge batch has three turns; a turn that finds several slots free may take several jobs.
    expect(before?.jobs).toBeLessThan(smallBatches * smallSize);
  });

  async function jobsOf(batches: string[]): Promise<string[]> {
    const rows = await place.db.query<{ id: string }>(
      sql`select id from jobs where batch_id = any (${batches}::uuid[])`,
    );
    return rows.map(({ id }) => id);
  }
});

async function createBatches({ engine }: EnginePlace): Promise<{ huge: string; small: string[] }> {
  const create = (jobs: number) =>
    engine.createBatch({ pipeline: limited, jobs: Array.from({ length: jobs }, () => limited.job({})) });
  const huge = await create(hugeSize);
  const small: string[] = [];
  for (let batch = 0; batch < smallBatches; batch++) small.push((await create(smallSize)).id);
  return { huge: huge.id, small };
}
