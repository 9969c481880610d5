/**
 * PgBouncer in transaction mode in front of a test server, where it is installed. Suites that need it are skipped with
 * `describe.skipIf(!pgBouncerProgram)`, which shows in the report.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";

/** Where PgBouncer is; undefined if it is not installed. */
export const pgBouncerProgram: string | undefined = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file));

export interface PgBouncer {
  /** The same database and user as behind it. */
  url: string;
  stop(): Promise<void>;
}

const port = 6432;
const nobody = 65534;

/** Starts it in front of the server of `url`, with `poolSize` connections for each database. */
export async function startPgBouncer(options: { url: string; poolSize?: number }): Promise<PgBouncer> {
  if (!pgBouncerProgram) throw new Error("PgBouncer is not installed; skip the suite unless pgBouncerProgram is set");
  const folder = await makeTemporaryFolder();
  const { username, password, pathname, port: serverPort, searchParams, hostname } = new URL(options.url);
  const configuration = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  const log = join(folder, "pgbouncer.log");
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    configuration,
    `[databases]
* = host=${searchParams.get("host") ?? hostname} port=${serverPort}
[pgbouncer]
pool_mode = transaction
default_pool_size = ${options.poolSize ?? 10}
max_client_conn = 500
listen_addr =
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = scram-sha-256
auth_file = ${users}
logfile = ${log}
`,
  );
  const child = await spawnUnprivileged(folder, pgBouncerProgram, [configuration]);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `postgres://${username}:${password}@localhost:${port}${pathname}?host=${encodeURIComponent(folder)}&sslmode=disable`;
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
    await removeTemporaryFolder(folder);
  };
  try {
    await waitForConnection(url, () => child.exitCode !== null || child.signalCode !== null);
  } catch (error) {
    const output = await readFile(log, "utf8").catch(() => "");
    await stop();
    throw new Error(`PgBouncer did not start:\n${output}`, { cause: error });
  }
  return { url, stop };
}

/** PgBouncer refuses root, like PostgreSQL, and must be the user that may reach the server's socket. */
async function spawnUnprivileged(folder: string, program: string, args: string[]) {
  const options = { stdio: "ignore" } as const;
  if (process.getuid?.() !== 0) return spawn(program, args, options);
  const namespace = ["--user", `--map-user=${nobody}`, `--map-group=${nobody}`, "--"];
  if (spawnSync("unshare", [...namespace, "true"]).status === 0) {
    return spawn("unshare", [...namespace, program, ...args], options);
  }
  await chown(folder, nobody, nobody);
  await chmod(folder, 0o700);
  return spawn(program, args, { ...options, uid: nobody, gid: nobody });
}

async function waitForConnection(url: string, hasExited: () => boolean): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select 1");
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      // Not listening yet; anything else will not get better.
      if (hasExited() || (code !== "ENOENT" && code !== "ECONNREFUSED")) throw error;
      await delay(20);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
