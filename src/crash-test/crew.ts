/**
 * The workers of a run, each in a process and behind a line of its own. A place that falls empty is filled again; a
 * process that ends without having been told to is remembered, because a worker must survive whatever the run does.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type FlakyLink, openFlakyLink } from "./flaky-link.ts";
import type { WorkerAction } from "./plan.ts";
import { startWorkerProcess, type WorkerProcess, type WorkerTerms } from "./worker-process.ts";

export interface Crew {
  /** Does it to the worker, or to another if that one is down. False: all of them are. */
  hurt(action: WorkerAction): Promise<boolean>;
  /** Lets everyone go on, and nothing happen to them any more. */
  heal(): void;
  /** Ends all of them in the orderly way. */
  stop(): Promise<void>;
  /** Ends those that are left at once, when the run itself has failed or was stopped. */
  abandon(): Promise<void>;
  /** Processes that ended by themselves, or did not end when they were told to. */
  readonly misbehaved: readonly string[];
}

export interface CrewOptions {
  size: number;
  url: string;
  folder: string;
  terms: Omit<WorkerTerms, "url">;
}

interface Place {
  worker: WorkerProcess;
  link: FlakyLink | undefined;
  url: string;
  logFile: string;
  /** Something is being done to it. */
  troubled: boolean;
  /** Its process is going to end because we want it to. */
  ending: boolean;
}

/** The writer of a stopping worker waits for the database, which may be dead just then. */
const longestStopMs = 40_000;
/** A worker that writes nothing for so long does not come to a place inside a commit. */
const longestWayMs = 3_000;
const tailLength = 1_500;

export async function startCrew({ size, url, folder, terms }: CrewOptions): Promise<Crew> {
  const misbehaved: string[] = [];
  const healed = new AbortController();
  let closing = false;
  const places: Place[] = [];
  for (let index = 0; index < size; index++) {
    const link = await openLink(url);
    const placeUrl = link ? throughLink(url, link.port) : url;
    const logFile = join(folder, `worker-${index + 1}.log`);
    const worker = startWorkerProcess({ ...terms, url: placeUrl }, logFile);
    const place: Place = { worker, link, url: placeUrl, logFile, troubled: false, ending: false };
    places.push(place);
    void watch(place);
  }

  return {
    misbehaved,
    async hurt(action) {
      const place = findPlace(action.worker);
      if (!place || closing) return false;
      place.troubled = true;
      try {
        return await hurtPlace(place, action);
      } finally {
        place.troubled = false;
      }
    },
    heal() {
      healed.abort();
      for (const { worker } of places) worker.resume();
    },
    async abandon() {
      closing = true;
      healed.abort();
      for (const { worker } of places) worker.kill();
      await Promise.all(places.map(({ worker }) => worker.exited));
      await closeLinks();
    },
    async stop() {
      closing = true;
      await Promise.all(places.map((place) => terminate(place)));
      await closeLinks();
    },
  };

  async function closeLinks(): Promise<void> {
    await Promise.all(places.map(({ link }) => link?.close()));
  }

  /** The one that was meant, or the next that is up and in no other trouble. */
  function findPlace(meant: number): Place | undefined {
    const inOrder = [...places.slice(meant), ...places.slice(0, meant)];
    return inOrder.find(({ worker, troubled }) => worker.ready && !troubled);
  }

  async function hurtPlace(place: Place, action: WorkerAction): Promise<boolean> {
    switch (action.type) {
      case "kill":
        place.ending = true;
        place.worker.kill();
        await place.worker.exited;
        return true;
      case "terminate":
        await terminate(place);
        return true;
      case "pause":
        place.worker.pause();
        await wait(action.ms);
        place.worker.resume();
        return true;
      case "fault": {
        const { worker } = place;
        place.ending = action.end === "kill";
        const came = await worker.arm(action, wait(longestWayMs));
        if (action.end === "kill") worker.kill();
        else if (came) await wait(action.ms);
        worker.resume();
        if (action.end === "kill") await worker.exited;
        return came;
      }
      case "cut":
        if (!place.link) return false;
        await place.link.cut(action.lateMs);
        return true;
      case "stall":
        if (!place.link) return false;
        await place.link.stall(action.ms);
        return true;
    }
  }

  async function terminate(place: Place): Promise<void> {
    const { worker, logFile } = place;
    place.ending = true;
    if (!worker.ready) {
      // Before it minds signals there is nothing orderly to ask it for.
      worker.kill();
      await worker.exited;
      return;
    }
    worker.terminate();
    const patience = new AbortController();
    const limit = delay(longestStopMs, "too long" as const, { signal: patience.signal }).catch(
      () => "too long" as const,
    );
    const end = await Promise.race([worker.exited, limit]);
    patience.abort();
    if (end === 0) return;
    misbehaved.push(
      `worker ${worker.pid} was asked to stop: ${end === "too long" ? `still there after ${longestStopMs} ms` : `ended with ${end}`}\n${await tail(logFile)}`,
    );
    worker.kill();
    await worker.exited;
  }

  /** Fills the place again whenever its process has ended. */
  async function watch(place: Place): Promise<void> {
    while (!closing) {
      const { worker } = place;
      const end = await worker.exited;
      if (!place.ending)
        misbehaved.push(`worker ${worker.pid} ended by itself with ${end}\n${await tail(place.logFile)}`);
      if (closing) return;
      place.ending = false;
      place.worker = startWorkerProcess({ ...terms, url: place.url }, place.logFile);
    }
  }

  function wait(ms: number): Promise<unknown> {
    return delay(ms, undefined, { signal: healed.signal }).catch(() => undefined);
  }
}

/** None where TLS would notice that somebody sits between. */
async function openLink(url: string): Promise<FlakyLink | undefined> {
  const { host, port, ssl } = new pg.Client({ connectionString: url });
  if (ssl) return undefined;
  return openFlakyLink(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
}

function throughLink(url: string, port: number): string {
  const { user = "", password, database = "" } = new pg.Client({ connectionString: url });
  const secret = password ? `:${encodeURIComponent(String(password))}` : "";
  return `postgres://${encodeURIComponent(user)}${secret}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.slice(-tailLength);
}
