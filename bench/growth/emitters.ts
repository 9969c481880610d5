/** Jobs that run for as long as they are wanted and emit what they are told to: streams that grow at will. */
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import { z } from "zod";
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import { type AnyPipeline, pipeline } from "../../src/jobs/pipeline.ts";
import { requireJob } from "../../src/jobs/read-jobs.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";

export interface Emitter {
  streamId: string;
  /** Resolves when it is committed. */
  emit(data: Record<string, unknown>): Promise<void>;
  /** The number of its last event. */
  readEnd(): Promise<number>;
}

export interface Emitters extends AsyncDisposable {
  all: readonly Emitter[];
}

const leaseMs = 120_000;

export async function openEmitters(url: string, count: number): Promise<Emitters> {
  const over = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  const all: Emitter[] = [];
  const kind = pipeline("emitter", { input: z.object({}) }).stage("emit", async ({ job, emit }) => {
    all.push({
      streamId: job.id,
      emit: (data) => emit("tick", data),
      readEnd: async () => (await requireJob(engine, job.id)).lastEventId,
    });
    if (all.length === count) running.resolve();
    await over.promise;
  });
  const db = openDatabase({ url, logger });
  const control = openDatabase({ url, logger, maxConnections: 2 });
  const hints = openHints({ db, listenUrl: url, logger });
  const engine = createEngine({ db, hints, logger, pipelines: [kind as unknown as AnyPipeline] });
  await engine.enqueueMany(Array.from({ length: count }, () => kind.job({})));
  const worker = await engine.startWorker({
    control,
    version: "bench",
    slots: count,
    leaseMs,
    heartbeatMs: leaseMs / 4,
    pollMs: 2_000,
  });
  await running.promise;
  return {
    all,
    async [Symbol.asyncDispose]() {
      over.resolve();
      await worker.stop(10_000);
      await hints.close();
      await Promise.all([control.close(), db.close()]);
    },
  };
}
