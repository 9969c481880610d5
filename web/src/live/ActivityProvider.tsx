/**
 * What goes on in the whole server, told by its one stream. Answers that a change outdates are asked for again; nothing
 * else ever is, so a page on which nothing happens makes no requests.
 */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import type { JobSummary } from "../../../src/contract/jobs.ts";
import type { Activity, Stats, WorkerList } from "../../../src/contract/system.ts";
import { useAccess } from "../access/AccessProvider.tsx";
import type { StreamState } from "./open-event-stream.ts";
import { refreshQueries } from "./refresh-queries.ts";
import { useEventStream } from "./use-event-stream.ts";

type JobListener = (jobs: readonly JobSummary[], complete: boolean) => void;

interface ActivityView {
  connection: StreamState;
  /** Undefined until the server has told them. */
  stats: Stats | undefined;
  workers: WorkerList["items"] | undefined;
  /** Tells of jobs that changed. Answers how to stop it. */
  onJobs(listener: JobListener): () => void;
}

const ActivityContext = createContext<ActivityView | null>(null);

export function ActivityProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const listeners = useRef(new Set<JobListener>());
  const [stats, setStats] = useState<Stats>();
  const [workers, setWorkers] = useState<WorkerList["items"]>();

  const { isPending, isSignedOut } = useAccess();
  const mayFollow = !isPending && !isSignedOut;

  const connection = useEventStream(mayFollow ? "/api/stream" : null, ({ type, data }) => {
    if (type === "workers") setWorkers((data as WorkerList).items);
    if (type !== "activity") return;
    const { stats: counted, jobs, complete } = data as Activity;
    setStats(counted);
    for (const listener of listeners.current) listener(jobs, complete);
    const kinds = new Set(jobs.map(({ kind }) => kind));
    void refreshQueries(queryClient, ({ meta }) => {
      const live = meta?.live;
      if (live === undefined) return false;
      return !complete || (live === true ? kinds.size > 0 : live.some((kind) => kinds.has(kind)));
    });
  });

  useEffect(() => {
    if (mayFollow) return;
    // It was told to somebody else.
    setStats(undefined);
    setWorkers(undefined);
  }, [mayFollow]);

  const [onJobs] = useState(() => (listener: JobListener) => {
    listeners.current.add(listener);
    return () => {
      listeners.current.delete(listener);
    };
  });

  return <ActivityContext value={{ connection, stats, workers, onJobs }}>{children}</ActivityContext>;
}

export function useActivity(): ActivityView {
  const view = useContext(ActivityContext);
  if (!view) throw new Error("useActivity is for what stands inside an ActivityProvider");
  return view;
}

/** Calls back with jobs that changed, as long as the component is shown. */
export function useJobChanges(listener: JobListener): void {
  const { onJobs } = useActivity();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => onJobs((jobs, complete) => latest.current(jobs, complete)), [onJobs]);
}
