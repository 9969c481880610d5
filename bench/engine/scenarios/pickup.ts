/** How soon a job starts that is added while a worker in another process has nothing to do: with hints, and by polling. */
import { setTimeout as delay } from "node:timers/promises";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { type Child, startChild } from "../../harness/child.ts";
import { now } from "../../harness/clock.ts";
import { type Bar, type Measured, median, quantile } from "../../harness/result.ts";
import type { BenchDatabase } from "../../harness/server.ts";
import type { Producer } from "../contender.ts";
import { loadContender } from "../contenders.ts";
import { workerFile } from "../drain.ts";
import type { WorkerApi } from "../worker-process.ts";

const rival = "graphile-worker";
/** Long enough for the worker to be idle again. */
const quietMs = 40;
const pollMs = 200;
/** Times of arrival spread evenly over the interval between two polls, whatever its phase: the golden section. */
const betweenPollsMs = pollMs * 0.382;
const pollSlackMs = 10;
/** Any time at all, as long as it is timed. */
const stepMs = 1;
const warmUpJobs = 10;

interface Idle {
  /** Adds so many jobs, one at a time with a pause after each; answers how long each of them waited. */
  pickUp(jobs: number, pauseMs: number): Promise<number[]>;
  close(): Promise<void>;
}

export const pickup: Scenario = {
  name: "pickup",
  title: "enqueue → start with an idle worker in another process",
  async run(bench) {
    const jobs = bench.options.quick ? 60 : 300;
    const contenders = ["docmill", ...[rival].filter((peer) => bench.peers.has(peer))];
    const p99s = new Map<string, number[]>();
    const opened: Idle[] = [];
    const open = async (contender: string, pollOnlyMs?: number) => {
      const idle = await openIdle(bench, contender, pollOnlyMs);
      opened.push(idle);
      await idle.pickUp(warmUpJobs, quietMs);
      return idle;
    };
    try {
      const hinted: Entry[] = [];
      for (const contender of contenders) {
        const idle = await open(contender);
        p99s.set(contender, []);
        hinted.push({
          case: "p50",
          contender,
          unit: "ms",
          async measure() {
            const waits = await idle.pickUp(jobs, quietMs);
            p99s.get(contender)?.push(quantile(waits, 0.99));
            return median(waits);
          },
        });
      }
      const polling = await open("docmill", pollMs);
      const polled: Entry = {
        case: "p50, polling only",
        contender: "docmill",
        unit: "ms",
        note: `every ${pollMs} ms`,
        measure: async () => median(await polling.pickUp(jobs, betweenPollsMs)),
      };
      const { measured, skipped } = await takeTurns(bench, [...hinted, polled]);
      const all = [
        ...measured,
        ...[...p99s].map(([contender, values]) => ({ case: "p99", contender, unit: "ms", values })),
      ];
      return { scenario: this.name, measured: all, skipped, bars: makeBars(bench, all) };
    } finally {
      for (const idle of opened) await idle.close();
    }
  },
};

function makeBars(bench: Bench, measured: readonly Measured[]): Bar[] {
  const middle = (name: string, contender: string) => {
    const values = measured.find((entry) => entry.case === name && entry.contender === contender)?.values ?? [];
    return values.length === 0 ? undefined : median(values);
  };
  const bars = ["p50", "p99"].map((name): Bar => {
    const [own, other] = [middle(name, "docmill"), middle(name, rival)];
    return { what: `${name}: docmill ÷ ${rival}`, value: own && other && own / other, sense: "at most", bar: 1 };
  });
  const polled = middle("p50, polling only", "docmill");
  return [
    ...(bench.options.withoutPeers ? [] : bars),
    { what: "p50, polling only, in ms", value: polled, sense: "at most", bar: pollMs / 2 + pollSlackMs },
  ];
}

async function openIdle(bench: Bench, name: string, pollOnlyMs: number | undefined): Promise<Idle> {
  const contender = await loadContender(name);
  const database = await bench.server.createDatabase(name, contender.install);
  const worker = startChild<WorkerApi>(workerFile);
  const settings = { url: database.url, workload: "one step", concurrency: 10, batching: false, pollOnlyMs } as const;
  await worker.call("startWorker", { contender: name, settings, stepMs });
  const producer = await contender.openProducer(database.url, "one step");
  return {
    pickUp: (jobs, pauseMs) => pickUp(worker, producer, jobs, pauseMs),
    close: () => closeIdle(worker, producer, database),
  };
}

async function pickUp(worker: Child<WorkerApi>, producer: Producer, jobs: number, pauseMs: number): Promise<number[]> {
  const addedAt: number[] = [];
  for (let n = 0; n < jobs; n++) {
    addedAt.push(now());
    await producer.addOne({ n, group: 0 });
    await delay(pauseMs);
  }
  while ((await worker.call("countSteps", undefined)) < jobs) await delay(quietMs);
  const { times } = await worker.call("takeCounts", undefined);
  return times.map(({ n, startedAt }) => startedAt - (addedAt[n] as number));
}

async function closeIdle(worker: Child<WorkerApi>, producer: Producer, database: BenchDatabase): Promise<void> {
  await producer.close();
  await worker.call("stopWorker", undefined).finally(() => worker.kill());
  await database.drop();
}
