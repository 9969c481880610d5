/**
 * Many batches at once on one PostgreSQL with four worker processes: first with files nobody has seen, then with the same
 * files and swimmers again. What is timed is working them off. One round of each kind is watched: no more sheets of a batch
 * at a time than allowed, no more calls of the model than allowed, and every reader gets its batch's events exactly.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Bench, type Scenario, show, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { startBatches } from "../batch-client.ts";
import { replayConcurrency, watchRunning } from "../batch-concurrency.ts";
import { makeBatches, type SheetBatch } from "../make-sheets.ts";
import { type Mill, openMill, type Workers } from "../mill.ts";
import { profileRound } from "../profile-round.ts";
import type { ReaderReport } from "../stream-reader-process.ts";

const processes = 4;
const sheetsPerBatch = 15;
/** Jobs of one process. Sheets that are known wait for the database, not for a core. */
const jobsAtOnce = 10;
const perBatch = 3;
const aiCalls = 3;
/** Enough for more calls than are allowed, if nothing held them back. */
const letters = 4;
const readersPerBatch = 2;
/** Of two readers of a batch one breaks off so often. */
const breakEvery = 17;
const leastRate = 300;
const lookMs = 10;
const patienceMs = 30_000;

const limits = { MAX_CONCURRENT_AI_CALLS: String(aiCalls), CONCURRENT_JOBS_PER_BATCH: String(perBatch) };

interface Round {
  /** Sheets a second, from the start of the workers to the end of the last batch. */
  rate: number;
  /** Sheets a second that the server took in before. */
  takenIn: number;
  /** Batches that ended as they should. */
  whole: number;
  /** Sheets that were read although they were known, or known although they were not. */
  wronglyCached: number;
}

interface Watched extends Round {
  seenAtOnce: number;
  looks: number;
  toldAtOnce: number;
  claimedAtOnce: number;
  brokenReaders: string[];
  breaks: number;
}

export const sheets: Scenario = {
  name: "sheets",
  title: `batches of ${sheetsPerBatch} heat sheets, ${processes} worker processes`,
  async run(bench) {
    const batches = makeAll(bench);
    const name = `${batches.length} × ${sheetsPerBatch}`;
    await using mill = await openMill(bench, limits);
    const shipped = await mill.openWorkers(processes);
    const wide = await mill.openWorkers(processes, { DOCMILL_CONCURRENCY: String(jobsAtOnce) });
    const cold = await runWatched(bench, { mill, workers: wide, batches, expectCached: false });
    const rounds: Round[] = [];
    const takeRound = async (workers: Workers) => {
      const round = await runRound({ mill, workers, batches, expectCached: true });
      rounds.push(round);
      return round.rate;
    };
    const facts = { contender: "docmill", unit: "sheets/s" };
    const wideCase = `${name} known, ${jobsAtOnce} jobs at a time each`;
    const { measured, skipped } = await takeTurns(bench, [
      { ...facts, case: wideCase, measure: () => takeRound(wide) },
      { ...facts, case: `${name} known, as shipped`, note: "a job for each core", measure: () => takeRound(shipped) },
    ]);
    const known = await runWatched(bench, { mill, workers: wide, batches, expectCached: true });
    const all = [cold, ...rounds, known];
    const calls = mill.mostCalls();
    const figures: Measured[] = [
      ...measured,
      { ...facts, case: `${name} known, watched, with readers`, values: [known.rate] },
      { ...facts, case: `${name} new, watched, with readers`, values: [cold.rate] },
      { ...facts, case: "taken in before", values: all.map(({ takenIn }) => takenIn), note: "uploaded and stored" },
      { ...facts, unit: "looks", case: "at running sheets", values: [cold.looks, known.looks] },
      { ...facts, unit: "times", case: "readers broke off and came back", values: [cold.breaks, known.breaks] },
      {
        ...facts,
        unit: "sheets",
        case: "of a batch at once, from claim to end",
        values: [cold.claimedAtOnce, known.claimedAtOnce],
        note: "may count one that ended while a claim was on its way",
      },
    ];
    const rates = measured.find((entry) => entry.case === wideCase)?.values ?? [];
    return {
      scenario: this.name,
      measured: figures,
      skipped: [...skipped, ...[cold, known].flatMap(({ brokenReaders }) => brokenReaders.slice(0, 3))],
      bars: makeBars({ batches: batches.length, rates, all, watched: [cold, known], calls }),
    };
  },
  async profile(bench) {
    const batches = makeAll(bench);
    await using mill = await openMill(bench, limits);
    const workers = await mill.openWorkers(processes, { DOCMILL_CONCURRENCY: String(jobsAtOnce) });
    for (const expectCached of [false, true]) {
      await runRound({ mill, workers, batches, expectCached }, async (_ids, work) => {
        await profileRound(workers, mill.databaseUrl, work);
        return 0;
      });
    }
  },
};

function makeAll({ options }: Bench): SheetBatch[] {
  return makeBatches({ batches: options.quick ? 20 : 100, sheets: sheetsPerBatch, letters });
}

interface Outcome {
  batches: number;
  rates: readonly number[];
  all: readonly Round[];
  watched: readonly Watched[];
  calls: number;
}

function makeBars({ batches, rates, all, watched, calls }: Outcome): Bar[] {
  const most = (of: (round: Watched) => number) => Math.max(...watched.map(of));
  return [
    { what: "known sheets/s", value: median(rates), sense: "at least", bar: leastRate },
    {
      what: "batches that ended completed, with all sheets, in the worst round",
      value: Math.min(...all.map(({ whole }) => whole)),
      sense: "at least",
      bar: batches,
    },
    {
      what: "sheets wrongly taken for known or for new",
      value: all.reduce((sum, { wronglyCached }) => sum + wronglyCached, 0),
      sense: "at most",
      bar: 0,
    },
    {
      what: "sheets of a batch at once, as seen",
      value: most(({ seenAtOnce }) => seenAtOnce),
      sense: "at most",
      bar: perBatch,
    },
    {
      what: "sheets of a batch at once, from events",
      value: most(({ toldAtOnce }) => toldAtOnce),
      sense: "at most",
      bar: perBatch,
    },
    { what: "calls of the model at once", value: calls, sense: "at most", bar: aiCalls },
    {
      what: "readers with a gap, a double or no end",
      value: watched.reduce((sum, { brokenReaders }) => sum + brokenReaders.length, 0),
      sense: "at most",
      bar: 0,
    },
  ];
}

async function runWatched(bench: Bench, run: RoundOptions): Promise<Watched> {
  const { mill, expectCached } = run;
  let reports: ReaderReport[] = [];
  let seen = { most: 0, looks: 0 };
  let ids: readonly string[] = [];
  const round = await runRound(run, async (started, work) => {
    ids = started;
    const wanted = started.flatMap((batchId) =>
      Array.from({ length: readersPerBatch }, (_, reader) => (reader === 0 ? { batchId } : { batchId, breakEvery })),
    );
    await mill.readers.call("openReaders", { url: mill.url, wanted });
    const watch = await watchRunning(mill.databaseUrl);
    const ms = await work();
    seen = await watch.stop();
    reports = await mill.readers.call("finish", { patienceMs });
    return ms;
  });
  const told = await replayConcurrency(mill.databaseUrl, ids);
  const brokenReaders = await findBroken(mill, reports);
  bench.say(`  ${expectCached ? "known" : "new"}, watched: ${show(round.rate)} sheets/s, ${seen.looks} looks`);
  return {
    ...round,
    seenAtOnce: seen.most,
    looks: seen.looks,
    toldAtOnce: told.sure,
    claimedAtOnce: told.claimed,
    brokenReaders,
    breaks: reports.reduce((sum, { breaks }) => sum + breaks, 0),
  };
}

type WorkOff = () => Promise<number>;
/** What surrounds the work; answers what the work did. */
type Surround = (ids: readonly string[], work: WorkOff) => Promise<number>;

interface RoundOptions {
  mill: Mill;
  workers: Workers;
  batches: readonly SheetBatch[];
  expectCached: boolean;
}

async function runRound(
  { mill, workers, batches, expectCached }: RoundOptions,
  surround: Surround = (_ids, work) => work(),
): Promise<Round> {
  const count = batches.reduce((sum, { files }) => sum + files.length, 0);
  const startedAt = now();
  const ids = await startBatches(mill.url, batches);
  const takenMs = now() - startedAt;
  const ms = await surround(ids, () => workOff(mill, workers));
  const { whole, wronglyCached } = await checkEnds(mill, ids, expectCached);
  return { rate: (count / ms) * 1_000, takenIn: (count / takenMs) * 1_000, whole, wronglyCached };
}

/** Lets the workers at what waits; answers the milliseconds until all batches had ended. */
function workOff({ databaseUrl }: Mill, workers: Workers): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    await client.query("checkpoint");
    const startedAt = now();
    await workers.start();
    const open = "select from batches where status in ('pending', 'running') limit 1";
    while ((await client.query(open)).rows.length > 0) await delay(lookMs);
    const ms = now() - startedAt;
    await workers.stop();
    return ms;
  });
}

async function checkEnds({ databaseUrl }: Mill, ids: readonly string[], expectCached: boolean) {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ whole: boolean; other: number }>(
      `select b.status = 'completed' and count(r.code) filter (where jsonb_array_length(r.swims) > 0) = $2 as whole,
        count(*) filter (where r.cached is distinct from $3)::integer as other
      from batches b left join heat_results r on r.batch_id = b.id where b.id = any ($1::uuid[]) group by b.id`,
      [ids, sheetsPerBatch, expectCached],
    );
    return {
      whole: rows.filter(({ whole }) => whole).length,
      wronglyCached: rows.reduce((sum, { other }) => sum + other, 0),
    };
  });
}

/** Each must have come to the last event that its batch has. */
async function findBroken({ databaseUrl }: Mill, reports: readonly ReaderReport[]): Promise<string[]> {
  const lasts = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; last: number }>(
      "select stream_id as id, max(number) as last from events group by stream_id",
    );
    return new Map(rows.map(({ id, last }) => [id, last]));
  });
  return reports.flatMap(({ batchId, last, problem }) => {
    const end = lasts.get(batchId);
    if (problem !== null) return [`reader of ${batchId}: ${problem}`];
    return last === end ? [] : [`reader of ${batchId}: ended with event ${last} of ${end}`];
  });
}
