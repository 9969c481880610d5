/**
 * The PostgreSQL server a bench runs on: started in a folder of its own, durable, the same for all contenders. Each
 * measurement gets a database of its own, copied from one in which the contender's tables were made.
 */
import { join, resolve } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { silentLogger } from "../../test/support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../test/support/temporary-folder.ts";

export interface BenchServer {
  url: string;
  /** What was measured on, as the server itself answers. */
  settings: Record<string, string>;
  /** Makes what databases of a name are copied from ahead of time: nothing is fast right after a million rows were written. */
  prepareDatabase(name: string, install: (url: string) => Promise<void>): Promise<void>;
  /** A new database with the tables that `install` makes; they are made once for each name. */
  createDatabase(name: string, install: (url: string) => Promise<void>): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

export interface BenchDatabase {
  url: string;
  drop(): Promise<void>;
}

const settingsToShow = [
  "server_version",
  "fsync",
  "synchronous_commit",
  "full_page_writes",
  "wal_sync_method",
  "shared_buffers",
  "max_wal_size",
  "autovacuum",
];

const settings = {
  max_connections: "500",
  shared_buffers: "512MB",
  // No checkpoint in the middle of a measurement: each starts right after one.
  max_wal_size: "8GB",
  checkpoint_timeout: "1h",
};

const statementSettings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "top",
  "pg_stat_statements.track_planning": "on",
};

export async function startBenchServer(options: { server: string; statements: boolean }): Promise<BenchServer> {
  const folder = await makeTemporaryFolder();
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, "server"),
    logger: silentLogger,
    binDir: findPrograms(options.server),
    durable: true,
    settings: { ...settings, ...(options.statements ? statementSettings : {}) },
  });
  const templates = new Map<string, Promise<string>>();
  let databases = 0;

  const onServer = <T>(work: (client: pg.Client) => Promise<T>) => withClient(postgres.url, work);
  const urlOf = (database: string) => {
    const url = new URL(postgres.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  const makeTemplate = async (install: (url: string) => Promise<void>) => {
    const name = `template_${templates.size}`;
    await onServer((client) => client.query(`create database ${name}`));
    if (options.statements)
      await withClient(urlOf(name), (client) => client.query("create extension pg_stat_statements"));
    await install(urlOf(name));
    return name;
  };
  const templateOf = (name: string, install: (url: string) => Promise<void>) => {
    const template = templates.get(name) ?? makeTemplate(install);
    templates.set(name, template);
    return template;
  };

  return {
    url: postgres.url,
    settings: await onServer(async (client) => {
      const shown: Record<string, string> = {};
      for (const name of settingsToShow) shown[name] = (await client.query(`show ${name}`)).rows[0][name];
      return shown;
    }),
    async prepareDatabase(name, install) {
      await templateOf(name, install);
      await onServer((client) => client.query("checkpoint"));
    },
    async createDatabase(name, install) {
      const from = await templateOf(name, install);
      const database = `bench_${++databases}`;
      await onServer((client) => client.query(`create database ${database} template ${from}`));
      return {
        url: urlOf(database),
        drop: () => onServer(async (client) => void (await client.query(`drop database ${database} with (force)`))),
      };
    },
    async stop() {
      await postgres.stop();
      await removeTemporaryFolder(folder);
    },
  };
}

function findPrograms(server: string): string | undefined {
  if (server === "embedded") return undefined;
  return /^\d+$/.test(server) ? join("/usr/lib/postgresql", server, "bin") : resolve(server);
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
