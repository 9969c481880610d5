/**
 * The states of a job are said in four places: the contract, the table of transitions, the schema and the diagram for
 * people. They are the same, and no sequence of actions on the real database leaves them.
 */
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type JobState, jobStates } from "../../src/contract/states.ts";
import { sql } from "../../src/db/sql.ts";
import { InvalidTransition, type TransitionName, transitions } from "../../src/jobs/lifecycle.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import type { ClaimedJob } from "../../src/jobs/queries/claim-jobs.ts";
import type { StateChange } from "../../src/jobs/queries/job-write.ts";
import { writeJobs } from "../../src/jobs/queries/write-jobs.ts";
import { type ClaimingWorker, registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { readJob, readStream } from "../support/read-job.ts";
import { describeOnEachServer } from "../support/test-database.ts";

const attempts = 3;
const subject = pipeline("subject", { input: z.object({}), retry: { attempts } }).stage("nothing", () => undefined);
const names = Object.keys(transitions) as TransitionName[];
const error = { code: "BROKEN", message: "broken", retryable: true };

function pairsOf(name: TransitionName): string[] {
  return transitions[name].from.map((from) => `${from} --> ${transitions[name].to}: ${name}`);
}

describe("the table of transitions", () => {
  it("knows every state of the contract, and no other", () => {
    const used = new Set(names.flatMap((name) => [...transitions[name].from, transitions[name].to]));
    expect([...used].toSorted()).toEqual(jobStates.toSorted());
  });

  it("is the diagram in docs/architecture.md, plus the way in", async () => {
    const text = await readFile(new URL("../../docs/architecture.md", import.meta.url), "utf8");
    const diagram = /```mermaid\s+stateDiagram-v2\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
    const drawn = diagram.split("\n").flatMap((line) => line.trim() || []);
    expect(drawn.toSorted()).toEqual(["[*] --> pending: enqueue", ...names.flatMap(pairsOf)].toSorted());
  });
});

describeOnEachServer("a job", (server) => {
  let place: EnginePlace;
  let worker: ClaimingWorker;

  beforeAll(async () => {
    place = await openEnginePlace({ pipelines: [subject], server });
    worker = await registerClaimingWorker(place.db, ["subject"]);
  });
  afterAll(() => place.close());

  it("can be in the database only in a state of the contract", async () => {
    const checks = await place.db.query<{ definition: string }>(sql`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'jobs'::regclass and contype = 'c' and conkey = (
        select array[attnum] from pg_attribute where attrelid = 'jobs'::regclass and attname = 'status')`);
    expect(checks).toHaveLength(1);
    const allowed = [...(checks[0]?.definition ?? "").matchAll(/'([a-z]+)'::text/g)].map(([, state]) => state);
    expect(allowed.toSorted()).toEqual(jobStates.toSorted());
  });

  it.each(jobStates.flatMap((state) => (["cancel", "retry"] as const).map((action) => ({ state, action }))))(
    "that is $state answers a person's $action as the table says",
    async ({ state, action }) => {
      const id = await bringTo(state);
      const { from, to } = transitions[action];
      const before = await readJob(place.db, id);
      const acting = action === "cancel" ? place.engine.cancelJob(id) : place.engine.retryJob(id);
      if ((from as readonly JobState[]).includes(state)) {
        await acting;
        expect(await readJob(place.db, id)).toMatchObject({ status: to });
      } else {
        const refused = await acting.catch((thrown: unknown) => thrown);
        expect(refused).toBeInstanceOf(InvalidTransition);
        expect(refused).toMatchObject({ code: "INVALID_TRANSITION", details: { from: state, to } });
        expect((refused as Error).message).toContain(state);
        expect((refused as Error).message).toContain(to);
        expect(await readJob(place.db, id)).toEqual(before);
      }
    },
  );

  it("that is unknown is said to be so", async () => {
    const unknown = "01990000-0000-7000-8000-000000000000";
    await expect(place.engine.cancelJob(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(place.engine.retryJob(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("follows the table through any sequence of actions, and keeps its invariants", async () => {
    const action = fc.constantFrom(...names, "reserve" as const, "stale complete" as const, "stale fail" as const);
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), async (actions) => {
        await endAll();
        const { id } = await place.engine.enqueue(subject.job({}));
        const model: Model = { row: { status: "pending", attempts: 0, lease: 0 }, reserved: false };
        let held: ClaimedJob | undefined;
        let outdated: ClaimedJob | undefined;
        for (const name of actions) {
          const done = await act(id, name, { held, outdated });
          expect({ name, done: done !== undefined }).toEqual({ name, done: mayHappen(model, name) });
          if (done !== undefined) follow(model, name as Action);
          if ((name === "claim" || name === "reserve") && done) {
            outdated = held ?? outdated;
            held = done as ClaimedJob;
          }
          await compare(id, model);
        }
      }),
      { numRuns: 60 },
    );
  });

  type Action = TransitionName | "reserve";

  interface Model {
    row: { status: JobState; attempts: number; lease: number };
    /** Claimed ahead, which the row does not say. */
    reserved: boolean;
  }

  /** What its worker does to a job; to one that was reserved it may do the same. */
  const byHolder: readonly string[] = ["complete", "fail", "backOff", "lose", "release"];

  function mayHappen({ row, reserved }: Model, name: Action | `stale ${string}`): boolean {
    if (name === "claim" || name === "reserve") return row.status === "pending" && !reserved;
    const status = reserved && byHolder.includes(name) ? "running" : row.status;
    return name in transitions && (transitions[name as TransitionName].from as readonly JobState[]).includes(status);
  }

  function follow(model: Model, name: Action): void {
    const { row } = model;
    if (name === "claim" || (model.reserved && byHolder.includes(name))) {
      row.attempts++;
      row.lease++;
    }
    model.reserved = name === "reserve";
    if (name === "reserve") return;
    row.status = transitions[name].to;
    if (name === "release") row.attempts--;
    if (name === "retry") {
      row.attempts = 0;
      row.lease++;
    }
  }

  /** Does it for real; answers undefined if it was refused. */
  async function act(
    id: string,
    name: Action | `stale ${string}`,
    { held, outdated }: { held?: ClaimedJob; outdated?: ClaimedJob },
  ): Promise<unknown> {
    const { db, engine } = place;
    const change = async (job: ClaimedJob | undefined, stateChange: StateChange) =>
      job && (await worker.change(db, job, stateChange))[0];
    switch (name) {
      case "claim":
        return (await worker.claim(db, 1))[0];
      case "reserve":
        return (await worker.reserve(db, 1))[0];
      case "cancel":
      case "retry":
        try {
          await (name === "cancel" ? engine.cancelJob(id) : engine.retryJob(id));
          return true;
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(InvalidTransition);
          return undefined;
        }
      case "abandon": {
        const write = {
          jobId: id,
          lease: null,
          was: "pending" as const,
          change: { transition: name, error },
          events: [],
        };
        return (await writeJobs(db, [write], engine))[0];
      }
      case "complete":
      case "release":
        return change(held, { transition: name });
      case "backOff":
        return change(held, { transition: name, error, delayMs: 0 });
      case "fail":
      case "lose":
        return change(held, { transition: name, error });
      case "stale complete":
        return change(outdated, { transition: "complete" });
      default:
        return change(outdated, { transition: "fail", error });
    }
  }

  async function compare(id: string, { row, reserved }: Model): Promise<void> {
    const job = await readJob(place.db, id);
    expect(job).toMatchObject(row);
    const ended = row.status === "completed" || row.status === "failed" || row.status === "cancelled";
    expect(job.completedAt !== null).toBe(ended);
    expect(job.workerId !== null).toBe(row.status === "running");
    expect(job.errorCode).toBe(row.status === "failed" ? error.code : null);
    expect(job.errorMessage).toBe(row.status === "failed" ? error.message : null);
    const queued = await place.db.query(sql`
      select lease, attempts, last_event = ${job.lastEvent} as same_stream from queue where ${id} = any (job_ids)`);
    const { lease, attempts } = row;
    expect(queued).toEqual(row.status === "pending" && !reserved ? [{ lease, attempts, sameStream: true }] : []);
    // Fails if its numbers have a gap.
    await readStream(place.db, id);
  }

  async function bringTo(state: JobState): Promise<string> {
    await endAll();
    const { id } = await place.engine.enqueue(subject.job({}));
    switch (state) {
      case "pending":
        break;
      case "running":
        await worker.claimOne(place.db);
        break;
      case "completed":
        await worker.change(place.db, await worker.claimOne(place.db), { transition: "complete" });
        break;
      case "failed":
        await worker.change(place.db, await worker.claimOne(place.db), { transition: "fail", error });
        break;
      case "cancelled":
        await place.engine.cancelJob(id);
        break;
    }
    expect(await readJob(place.db, id)).toMatchObject({ status: state });
    return id;
  }

  /** So that a claim finds only the job made after this. */
  async function endAll(): Promise<void> {
    const rows = await place.db.query<{ id: string }>(sql`select id from jobs where status in ('pending', 'running')`);
    for (const { id } of rows) await place.engine.cancelJob(id);
  }
});
