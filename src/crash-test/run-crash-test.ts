/**
 * One run of the crash test: a mixed load on several worker processes while they, their connections and the database are
 * killed, stopped and cut off; then everything heals, the work ends, and every promise is checked from the tables.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Database, openDatabase } from "../db/database.ts";
import { openHints } from "../db/hints.ts";
import { sql } from "../db/sql.ts";
import { createEngine } from "../jobs/engine.ts";
import type { Logger } from "../logger.ts";
import { actOnWork, createWorkBringer } from "./bring-work.ts";
import { checkPromises } from "./checks/check-promises.ts";
import type { CheckedPromise } from "./checks/evidence.ts";
import { type CrashDatabase, openCrashDatabase } from "./crash-database.ts";
import { type Crew, startCrew } from "./crew.ts";
import { crashPipelines } from "./pipelines.ts";
import { type ChaosAction, planRun, type RunPlan } from "./plan.ts";
import { startSampler } from "./sampler.ts";
import { createCrashTables } from "./tables.ts";
import { untilReached } from "./until-reached.ts";

export interface CrashTestOptions {
  /** How long work comes in and things are broken; healing and checking come on top. */
  durationMs: number;
  seed: number;
  workers: number;
  /** A server to make a database of the run's own on; left out, a server is started, and killed now and then. */
  databaseUrl?: string;
  /** Where that server has its data; left out, a temporary folder. */
  dataDir?: string;
  /** A bug to plant in the workers, to see that the run finds it. */
  plant?: "unfenced";
  /** Whether to leave database and logs in place. Left out: only when a promise was broken. */
  keep?: boolean;
  logger: Logger;
  onPhase?: (phase: string) => void;
  /** Ends the run early; nothing is checked then, and nothing kept. */
  stop?: AbortSignal;
}

export interface CrashReport {
  seed: number;
  durationMs: number;
  workers: number;
  server: string;
  /** What was done, and how often it could be. */
  actions: Record<string, number>;
  /** By kind and state. */
  jobs: Record<string, Record<string, number>>;
  events: number;
  looks: number;
  promises: CheckedPromise[];
  violations: number;
  /** Where database and logs are, if they were kept. */
  kept: string | undefined;
}

const terms = { slots: 6, leaseMs: 2_000, heartbeatMs: 500, pollMs: 200, graceMs: 1_000 };
/** Longer than any lease, backoff or page: when nothing has moved for so long, nothing will. */
const stillMs = 15_000;
const longestSettlingMs = 180_000;

export async function runCrashTest(options: CrashTestOptions): Promise<CrashReport> {
  const { seed, durationMs, workers, logger } = options;
  const say = options.onPhase ?? (() => undefined);
  say("preparing a database");
  const database = await openCrashDatabase(options);
  const db = openDatabase({ url: database.url, logger, maxConnections: 12, applicationName: "docmill crash-test" });
  let keep = options.keep ?? true;
  let crew: Crew | undefined;
  try {
    await createCrashTables(db);
    const plan = planRun({
      seed,
      durationMs,
      workers,
      leaseMs: terms.leaseMs,
      ownServer: database.server !== undefined,
    });
    crew = await startCrew({
      size: workers,
      url: database.url,
      folder: database.folder,
      terms: { ...terms, fencing: options.plant !== "unfenced" },
    });
    const report = await torment({ options, plan, database, db, crew, say });
    keep = options.keep ?? report.violations > 0;
    return { ...report, kept: keep ? database.place : undefined };
  } catch (error) {
    keep &&= !options.stop?.aborted;
    throw error;
  } finally {
    await crew?.abandon();
    await db.close();
    await database.close(keep);
  }
}

interface Run {
  options: CrashTestOptions;
  plan: RunPlan;
  database: CrashDatabase;
  db: Database;
  crew: Crew;
  say: (phase: string) => void;
}

async function torment({ options, plan, database, db, crew, say }: Run): Promise<Omit<CrashReport, "kept">> {
  const { seed, durationMs, workers, logger, stop: signal } = options;
  await using open = new AsyncDisposableStack();
  const hints = openHints({ db, listenUrl: null, logger });
  open.defer(() => hints.close());
  const engine = createEngine({ db, hints, logger, pipelines: crashPipelines(db) });
  const work = createWorkBringer(engine);
  const sampler = startSampler(db);
  open.defer(async () => void (await sampler.stop()));
  const actions: Record<string, number> = {};
  const refusals: string[] = [];
  const count = (name: string) => {
    actions[name] = (actions[name] ?? 0) + 1;
  };

  const act = async (action: ChaosAction): Promise<void> => {
    switch (action.type) {
      case "person": {
        const entry = work.accepted.get(action.entry);
        if (!entry) return;
        const done = await actOnWork(engine, entry, action.action, action.atMs);
        return count(`${action.action} ${entry.batchId ? "in batch" : "job"}${done ? "" : " (refused)"}`);
      }
      case "end-sessions":
        await endSessions(db, action.share);
        return count("end sessions");
      case "database":
        await hurtServer(database, action.how);
        return count(`${action.how} database`);
      default: {
        const done = await crew.hurt(action);
        const name = action.type === "fault" ? `${action.end} at ${action.point}` : `${action.type} worker`;
        return count(done ? name : `${name} (missed)`);
      }
    }
  };

  say(`breaking things for ${durationMs / 1_000} s`);
  const startedAt = performance.now();
  const steps = [
    ...plan.load.map((entry) => ({ atMs: entry.atMs, run: () => work.bring(entry) })),
    ...plan.chaos.map((action) => ({ atMs: action.atMs, run: () => act(action) })),
  ];
  await Promise.all(
    steps
      .filter(({ atMs }) => atMs <= durationMs)
      .map(async ({ atMs, run }) => {
        await delay(Math.max(0, startedAt + atMs - performance.now()), undefined, { signal });
        await run().catch((error: unknown) => refusals.push(String((error as Error).stack ?? error)));
      }),
  );

  say("healing");
  crew.heal();
  await database.server?.whenUp();
  await settle(db, signal);
  const { looks, exceeded } = await sampler.stop();
  say("stopping the workers");
  await crew.stop();

  say("checking every promise");
  const promises = await checkPromises({
    db,
    plan,
    accepted: work.accepted,
    refusals: [...work.violations, ...refusals],
    exceeded,
    misbehaved: crew.misbehaved,
  });
  if (work.refused > 0) actions["lock key refused"] = work.refused;
  return {
    seed,
    durationMs,
    workers,
    server: await serverVersion(db),
    actions,
    jobs: await countJobs(db),
    events: await countEvents(db),
    looks,
    promises,
    violations: promises.reduce((sum, { violations }) => sum + violations.length, 0),
  };
}

/** Waits until no job is active, or nothing moves any more: what is active then is stuck. */
async function settle(db: Database, signal?: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  let lastEvents = -1;
  let movedAt = startedAt;
  for (;;) {
    const [now] = await untilReached(() =>
      db.query<{ active: number; events: number }>(sql`
        select (select count(*) from jobs where status in ('pending', 'running')) as active, (select count(*) from events) as events`),
    );
    if (now?.active === 0) return;
    if (now && now.events !== lastEvents) {
      lastEvents = now.events;
      movedAt = performance.now();
    }
    if (performance.now() - movedAt > stillMs || performance.now() - startedAt > longestSettlingMs) return;
    await delay(100, undefined, { signal });
  }
}

async function endSessions(db: Database, share: number): Promise<void> {
  await db
    .query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and hashtext(pid::text) % 100 < ${Math.round(share * 100)}`)
    .catch(() => undefined);
}

async function hurtServer({ server }: CrashDatabase, how: "kill" | "restart"): Promise<void> {
  if (server?.state !== "up") return;
  process.kill(server.serverPid, how === "kill" ? "SIGKILL" : "SIGINT");
  await server.whenUp();
}

async function serverVersion(db: Database): Promise<string> {
  const [row] = await db.query<{ version: string }>(sql`select split_part(version(), ' on ', 1) as version`);
  return row?.version ?? "";
}

async function countJobs(db: Database): Promise<CrashReport["jobs"]> {
  const rows = await db.query<{ kind: string; status: string; count: number }>(
    sql`select kind, status, count(*) as count from jobs group by kind, status order by kind, status`,
  );
  const byKind: CrashReport["jobs"] = {};
  for (const { kind, status, count } of rows) byKind[kind] = { ...byKind[kind], [status]: count };
  return byKind;
}

async function countEvents(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from events`);
  return row?.count ?? 0;
}
