/**
 * The PostgreSQL servers a test run uses, one of each version for the whole run: the embedded one always, and the
 * oldest supported one that the system has installed. Each has a migrated database from which tests copy their own.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { migrate } from "../../src/db/migrate.ts";
import { silentLogger } from "./silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";

/** `15` stands for the oldest version we support, or the next one to it that is installed. */
export const serverNames = ["18", "15"] as const;
export type ServerName = (typeof serverNames)[number];

interface TestServer {
  url: string;
  version: string;
}

export type TestServers = Partial<Record<ServerName, TestServer>>;

export const templateDatabase = "docmill_template";

const systemFolder = "/usr/lib/postgresql";
const oldestSupported = 15;

export async function startTestServers(): Promise<{ servers: TestServers; stop(): Promise<void> }> {
  const folder = await makeTemporaryFolder();
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((stopOne) => stopOne()));
    await removeTemporaryFolder(folder);
  };
  const start = async (name: ServerName, binDir?: string): Promise<TestServer> => {
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, name),
      logger: silentLogger,
      binDir,
      durable: false,
      // Test files run side by side, each with several pools.
      settings: { max_connections: "500" },
    });
    stops.push(() => postgres.stop());
    await makeTemplate(postgres.url);
    return { url: postgres.url, version: postgres.version };
  };
  try {
    const binDir = await findOldestInstalled();
    const [embedded, oldest] = await Promise.all([start("18"), binDir ? start("15", binDir) : undefined]);
    return { servers: { "18": embedded, ...(oldest ? { "15": oldest } : {}) }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The same server's url for another of its databases. */
export function urlOfDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${templateDatabase}`);
    await migrate({ url: urlOfDatabase(serverUrl, templateDatabase), logger: silentLogger });
    await client.query(`alter database ${templateDatabase} with allow_connections false is_template true`);
  } finally {
    await client.end();
  }
}

async function findOldestInstalled(): Promise<string | undefined> {
  const names = await readdir(systemFolder).catch(() => []);
  const oldest = names
    .map(Number)
    .filter((major) => major >= oldestSupported)
    .sort((one, other) => one - other)[0];
  return oldest === undefined ? undefined : join(systemFolder, String(oldest), "bin");
}
