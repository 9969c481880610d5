/**
 * What a person has when things go wrong: a real `docmill serve` with its files in a folder, a paid service that counts, and a
 * PostgreSQL of its own beside it, which a test stops, kills and starts again.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/db/embedded/start-embedded-postgres.ts";
import { type DocmillProcess, startServe } from "../docmill-process.ts";
import { startFakeOpenAi } from "../fake-openai.ts";
import type { FakeService } from "../fake-service.ts";
import { gatedConfig } from "../gated-job.ts";
import { silentLogger } from "../silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

export interface FaultPlace extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly server: DocmillProcess;
  readonly openAi: FakeService;
  /** Settings of a further process on the same place. */
  readonly env: Record<string, string>;
  /** Ends the database's server as a signal does; resolves when it has been started again. */
  restartDatabase(signal: NodeJS.Signals): Promise<void>;
  stopDatabase(): Promise<void>;
  startDatabase(): Promise<void>;
  /** Files in storage, and what is on its way there. */
  files(): Promise<string[]>;
}

export async function openFaultPlace(settings: Record<string, string> = {}): Promise<FaultPlace> {
  await using opening = new AsyncDisposableStack();
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  // A server that does not sync forgets what it acknowledged when it crashes: here it must not.
  const start = () => startEmbeddedPostgres({ dataDir: join(folder, "database"), logger: silentLogger });
  let postgres: EmbeddedPostgres = await start();
  opening.defer(() => postgres.stop());
  const openAi = await startFakeOpenAi();
  opening.defer(() => openAi.close());
  const dataDir = join(folder, "data");
  const env = {
    DATABASE_URL: postgres.url,
    DOCMILL_DATA_DIR: dataDir,
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${openAi.url}/v1`,
    DOCMILL_EMBEDDINGS_DIMENSIONS: "1024",
    DOCMILL_THREADS: "1",
    DOCMILL_POLL_MS: "200",
    ...settings,
  };
  const { server, url } = await startServe(["--port", "0", "--config", gatedConfig], { env });
  opening.defer(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });
  const opened = opening.move();
  return {
    url,
    folder,
    server,
    openAi,
    env,
    async restartDatabase(signal) {
      const before = postgres.serverPid;
      process.kill(before, signal);
      await until(() => postgres.serverPid !== before);
      await postgres.whenUp();
    },
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await start();
    },
    files: () => listFilesIn(join(dataDir, "files")),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Paths below a folder, without folders. */
export async function listFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
