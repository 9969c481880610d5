/**
 * Puts what has changed since into a list of jobs that was loaded, newest first. Jobs are patched where they stand. Who
 * comes and who leaves moves other rows, so both are held back while somebody reads further down, until they are settled.
 */
import type { JobSummary } from "../../../../src/contract/jobs.ts";

export interface JobChanges {
  /** Jobs as they were last told. */
  latest: ReadonlyMap<string, JobSummary>;
  /** Not shown yet although they belong in the list, or still shown although they do not. */
  held: ReadonlyMap<string, "coming" | "leaving">;
}

export const noChanges: JobChanges = { latest: new Map(), held: new Map() };

export interface NoteOptions {
  isShown(id: string): boolean;
  belongs(job: JobSummary): boolean;
  /** Whether rows must stay where they are. */
  hold: boolean;
}

export function noteChanges(
  changes: JobChanges,
  jobs: readonly JobSummary[],
  { isShown, belongs, hold }: NoteOptions,
): JobChanges {
  const latest = new Map(changes.latest);
  const held = new Map(changes.held);
  for (const job of jobs) {
    const shown = isShown(job.id);
    const belonging = belongs(job);
    // One that has left is noted all the same: what was loaded says that it belongs.
    if (!shown && !belonging && !latest.has(job.id)) continue;
    latest.set(job.id, newerOf(latest.get(job.id), job));
    if (shown === belonging || !hold) held.delete(job.id);
    else held.set(job.id, shown ? "leaving" : "coming");
  }
  return { latest, held };
}

/** Lets all come and leave that were held back. */
export function settleChanges(changes: JobChanges): JobChanges {
  return changes.held.size === 0 ? changes : { ...changes, held: noChanges.held };
}

/** Forgets what a list that was asked for after these changes has in it anyway. */
export function forgetChanges(changes: JobChanges, known: JobChanges): JobChanges {
  const unknown = [...changes.latest].filter(([id, job]) => known.latest.get(id) !== job);
  return { latest: new Map(unknown), held: noChanges.held };
}

export interface LoadedJobs {
  /** Newest first. */
  jobs: readonly JobSummary[];
  /** Whether nothing older is left to be loaded. */
  isAll: boolean;
}

export interface ShownJob {
  job: JobSummary;
  leaving: boolean;
}

export function mergeJobChanges(
  { jobs, isAll }: LoadedJobs,
  { latest, held }: JobChanges,
  belongs: (job: JobSummary) => boolean,
): ShownJob[] {
  const loaded = new Set<string>();
  const shown: ShownJob[] = [];
  for (const job of jobs) {
    loaded.add(job.id);
    const change = latest.get(job.id);
    const current = change === undefined ? job : newerOf(job, change);
    const leaving = held.get(job.id) === "leaving";
    if (change === undefined || leaving || belongs(current)) shown.push({ job: current, leaving });
  }

  const oldest = jobs.at(-1)?.id;
  const joined = [...latest.values()]
    .filter(({ id }) => !loaded.has(id) && held.get(id) !== "coming")
    // An older one stands on a page that has not been loaded.
    .filter(({ id }) => isAll || oldest === undefined || id > oldest)
    .map((job) => ({ job, leaving: held.get(job.id) === "leaving" }))
    .filter(({ job, leaving }) => leaving || belongs(job));
  if (joined.length === 0) return shown;
  return [...shown, ...joined].sort((one, other) => (one.job.id < other.job.id ? 1 : -1));
}

/** How many are held back that belong at the top or in between. */
export function countComing({ held }: JobChanges): number {
  return [...held.values()].filter((way) => way === "coming").length;
}

/** The one told last, unless it is the older one: an answer can be overtaken by what the stream tells. */
function newerOf(known: JobSummary | undefined, told: JobSummary): JobSummary {
  return known !== undefined && known.lastEventId > told.lastEventId ? known : told;
}
