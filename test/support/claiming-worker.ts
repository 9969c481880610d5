/** A worker that only claims and writes, one statement at a time, for tests that choose what meets what. */
import { databaseClock } from "../../src/db/clock.ts";
import type { Queryable } from "../../src/db/database.ts";
import { thisProcess } from "../../src/jobs/process-identity.ts";
import { type ClaimedJob, claimJobs, type ServedKind } from "../../src/jobs/queries/claim-jobs.ts";
import type { StateChange } from "../../src/jobs/queries/job-write.ts";
import { type WrittenJob, writeJobs } from "../../src/jobs/queries/write-jobs.ts";
import { registerWorker } from "../../src/jobs/worker-lease.ts";

export interface ClaimingWorker {
  readonly id: string;
  /** Claims through `target`: the database, or a transaction that the test holds open. */
  claim(target: Queryable, count: number): Promise<ClaimedJob[]>;
  /** Claims ahead: what it takes is only reserved. */
  reserve(target: Queryable, count: number): Promise<ClaimedJob[]>;
  /** Claims the one job there is to claim. */
  claimOne(target: Queryable): Promise<ClaimedJob>;
  /** Changes the job's state under the lease it was claimed with; empty if that was refused. */
  change(target: Queryable, job: ClaimedJob, change: StateChange): Promise<WrittenJob[]>;
}

export async function registerClaimingWorker(
  db: Queryable,
  kinds: readonly (string | ServedKind)[],
  leaseMs = 60_000,
): Promise<ClaimingWorker> {
  const served = kinds.map((kind) => (typeof kind === "string" ? { kind, limitName: null } : kind));
  const facts = { identity: thisProcess(), version: "test", kinds: served.map(({ kind }) => kind), slots: 1 };
  const id = await registerWorker(db, facts, { clock: databaseClock, leaseMs });
  const claim = async (target: Queryable, count: number, ahead = false) => {
    const { jobs } = await claimJobs(target, { workerId: id, kinds: served, count, ahead, clock: databaseClock });
    return jobs;
  };
  return {
    id,
    claim,
    reserve: (target, count) => claim(target, count, true),
    async claimOne(target) {
      const [job] = await claim(target, 1);
      if (!job) throw new Error("There was nothing to claim.");
      return job;
    },
    change(target, { id: jobId, lease, limitName, holdId }, change) {
      const write = {
        jobId,
        lease,
        limitName,
        workerId: id,
        starts: holdId === null ? undefined : { workerId: id, msAgo: 0 },
        change,
        events: [{ type: change.transition, data: { lease } }],
      };
      return writeJobs(target, [write], { clock: databaseClock });
    },
  };
}
