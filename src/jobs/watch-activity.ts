/**
 * Watches the whole server for all who show it live: what is there, which jobs have changed, who works. What was read once
 * is told to every reader, at most once a second; while nobody reads, nothing is read.
 *
 * Hints say which jobs to look at, and a poll looks anyway. A reader is told of the present and never of a backlog: one
 * that has just come, or could not take what was told, gets the whole picture and asks again for the lists it shows.
 */
import { isDeepStrictEqual } from "node:util";
import type { JobSummary } from "../contract/jobs.ts";
import type { Activity, Stats, WorkerList } from "../contract/system.ts";
import { anyStream } from "../events/topics.ts";
import type { Logger } from "../logger.ts";
import { isUuid } from "./cursor.ts";
import { firstIdAt } from "./new-id.ts";
import { readChangedJobs } from "./read-jobs.ts";
import { readWorkers } from "./read-workers.ts";
import type { JobSource } from "./rescue-before-reading.ts";
import { mayBringJobs, streamOf } from "./topics.ts";

export type ActivityNews = { type: "activity"; data: Activity } | { type: "workers"; data: WorkerList };

interface ActivityReader {
  /** Whether it can take more. One that cannot is passed over. */
  readonly hasRoom: boolean;
  tell(news: ActivityNews): void;
}

export interface ActivityWatcher {
  /** Tells the reader what is, and then what changes, until the function it answers is called. */
  join(reader: ActivityReader): () => void;
}

export interface ActivityWatcherOptions {
  source: JobSource;
  readStats: () => Promise<Stats>;
  logger: Logger;
  pollMs?: number;
}

/** Most jobs that are told at once. */
const mostJobs = 100;
/** Where no hint says which running jobs changed, so many are looked at. */
const mostRunning = 1_000;
const pauseMs = 1_000;
/** An id is made a moment before its job can be read, by clocks that may differ by as much as `docmill doctor` tolerates. */
const overlapMs = 5_000;

export function createActivityWatcher(options: ActivityWatcherOptions): ActivityWatcher {
  /** Whether each reader has the whole picture. */
  const readers = new Map<ActivityReader, boolean>();
  let watch: Watch | undefined;

  return {
    join(reader) {
      readers.set(reader, false);
      watch ??= startWatch(options, readers);
      watch.welcome();
      return () => {
        readers.delete(reader);
        if (readers.size > 0) return;
        watch?.stop();
        watch = undefined;
      };
    },
  };
}

interface Watch {
  /** Tells the picture to who has come, if there is one already. */
  welcome(): void;
  stop(): void;
}

function startWatch(options: ActivityWatcherOptions, readers: Map<ActivityReader, boolean>): Watch {
  const { source, readStats, logger, pollMs = 2_000 } = options;
  let picture: { stats: Stats; workers: WorkerList } | undefined;
  let changes = noChanges();
  /** Jobs as they were last read: those of the look before, and those that a look may take for new. */
  let seen = new Map<string, JobSummary>();
  let lookedAt = Date.now();
  let restUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let due = false;
  let stopped = false;

  const unsubscribe = source.hints.subscribe((topics) => {
    if (noteChanges(changes, topics)) schedule();
  });
  const poll = setInterval(schedule, pollMs);
  schedule();

  return {
    welcome: () => tellAll([]),
    stop() {
      stopped = true;
      unsubscribe();
      clearInterval(poll);
      clearTimeout(timer);
    },
  };

  function schedule(): void {
    due = true;
    if (looking || stopped) return;
    timer ??= setTimeout(look, Math.max(0, restUntil - performance.now()));
  }

  async function look(): Promise<void> {
    timer = undefined;
    due = false;
    looking = true;
    try {
      const news = await readNews();
      if (!stopped) tellAll(news);
    } catch (error) {
      // What was to be looked at is lost: the next look, at the latest that of the next poll, says so.
      changes.all = true;
      if (!stopped) logger.warn({ err: error }, "watching activity failed");
    } finally {
      looking = false;
      restUntil = performance.now() + pauseMs;
      if (due) schedule();
    }
  }

  /** Brings the picture up to date, and answers what is new in it. */
  async function readNews(): Promise<ActivityNews[]> {
    const startedAt = Date.now();
    const noted = changes;
    changes = noChanges();
    const since = firstIdAt(lookedAt - overlapMs);
    // Without hints from other processes only looking tells what became of jobs.
    const blind = source.hints.delivering() !== true;
    const wasRunning = [...seen.values()].filter(({ status }) => blind && status === "running").map(({ id }) => id);
    const changed = {
      ids: [...noted.ids, ...wasRunning],
      since,
      known: blind ? [] : [...seen.keys()].filter((id) => id >= since),
      running: blind,
    };
    const mostRead = blind ? mostRunning : mostJobs;
    const [stats, workers, listed] = await Promise.all([
      readStats(),
      readWorkers(source),
      readChangedJobs(source, changed, mostRead + 1),
    ]);
    const before = picture;
    picture = { stats, workers };
    lookedAt = startedAt;
    const read = listed.slice(0, mostRead);
    const differing = read.filter((job) => !isDeepStrictEqual(seen.get(job.id), job));
    const jobs = differing.slice(0, mostJobs);
    const stillNew = [...seen].filter(([id]) => id >= firstIdAt(startedAt - overlapMs));
    seen = new Map([...stillNew, ...read.map((job) => [job.id, job] as const)]);
    // The first picture goes to those who have none.
    if (!before) return [];

    const unnoticed = blind && !isDeepStrictEqual(stats.jobs, before.stats.jobs);
    const complete = !noted.all && listed.length <= mostRead && differing.length <= mostJobs && !unnoticed;
    const news: ActivityNews[] = [];
    if (jobs.length > 0 || !complete || !isDeepStrictEqual(stats, before.stats)) {
      news.push({ type: "activity", data: { stats, jobs, complete } });
    }
    if (!isDeepStrictEqual(workers, before.workers)) news.push({ type: "workers", data: workers });
    return news;
  }

  function tellAll(news: readonly ActivityNews[]): void {
    if (!picture) return;
    const whole: ActivityNews[] = [
      { type: "activity", data: { stats: picture.stats, jobs: [], complete: false } },
      { type: "workers", data: picture.workers },
    ];
    for (const [reader, hasPicture] of readers) {
      const wanted = hasPicture ? news : whole;
      if (wanted.length === 0) continue;
      const takes = reader.hasRoom;
      if (takes) for (const one of wanted) reader.tell(one);
      readers.set(reader, takes);
    }
  }
}

interface Changes {
  /** Jobs whose streams have grown, and batches. */
  ids: Set<string>;
  /** More has changed, or may have, than the ids say. */
  all: boolean;
}

function noChanges(): Changes {
  return { ids: new Set(), all: false };
}

/** Answers whether there is anything to look at. */
function noteChanges(changes: Changes, topics: ReadonlySet<string> | null): boolean {
  if (topics === null || topics.has(anyStream)) {
    changes.all = true;
    return true;
  }
  let relevant = false;
  for (const topic of topics) {
    const id = streamOf(topic);
    if (id === undefined) relevant ||= mayBringJobs(topic);
    else if (isUuid(id)) {
      relevant = true;
      if (changes.ids.size < mostJobs) changes.ids.add(id);
      else if (!changes.ids.has(id)) changes.all = true;
    }
  }
  return relevant;
}
