/**
 * A database and a folder that several `docmill` processes of a test share, each with settings of its own besides. Whatever
 * was started there is killed when the place is closed.
 */
import { join } from "node:path";
import { type DocmillProcess, spawnDocmill } from "../docmill-process.ts";
import { gatedConfig } from "../gated-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../temporary-folder.ts";
import { createTestDatabase } from "../test-database.ts";

type Settings = Record<string, string>;

export interface SharedPlace {
  readonly folder: string;
  /** Below `folder`. */
  readonly dataDir: string;
  /** `docmill` with these arguments. */
  spawn(args: readonly string[], settings?: Settings): DocmillProcess;
  /** `docmill serve`, ready, with the gated job. */
  serve(args?: readonly string[], settings?: Settings): Promise<{ server: DocmillProcess; url: string }>;
  /** `docmill worker`, ready, with the gated job. */
  startWorker(settings?: Settings): Promise<DocmillProcess>;
  close(): Promise<void>;
}

/** Settings are for all processes of the place. */
export async function openSharedPlace(shared: Settings = {}): Promise<SharedPlace> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.adopt(await makeTemporaryFolder(), removeTemporaryFolder);
  const database = opening.adopt(await createTestDatabase(), ({ drop }) => drop());
  const dataDir = join(folder, "data");
  const env = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: dataDir,
    DOCMILL_POLL_MS: "200",
    DOCMILL_THREADS: "1",
    ...shared,
  };
  const processes: DocmillProcess[] = [];
  opening.defer(async () => {
    for (const one of processes) one.kill("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
  });
  const spawn: SharedPlace["spawn"] = (args, settings) => {
    const child = spawnDocmill(args, { env: { ...env, ...settings } });
    processes.push(child);
    return child;
  };
  const opened = opening.move();
  return {
    folder,
    dataDir,
    spawn,
    async serve(args = [], settings) {
      const server = spawn(["serve", "--port", "0", "--config", gatedConfig, ...args], settings);
      const [, url] = await server.says(/ready at (\S+)/);
      return { server, url: url as string };
    },
    async startWorker(settings) {
      const worker = spawn(["worker", "--config", gatedConfig], settings);
      await worker.says(/is ready/);
      return worker;
    },
    close: () => opened.disposeAsync(),
  };
}
