import { execFile, spawn, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBinaries } from "../../src/db/embedded/find-binaries.ts";
import { identifyProcess } from "../../src/db/embedded/server-processes.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/db/embedded/start-embedded-postgres.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { type EmbeddedOwner, spawnEmbeddedOwner, whenUp } from "../support/spawn-embedded-owner.ts";
import { spawnUncollected } from "../support/spawn-uncollected.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };

let folder: string;
/** A data folder whose database was made, holds one row, and is stopped; copied where making one is not the point. */
let madeBefore: string;
let copies = 0;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  madeBefore = join(folder, "made-before");
  const postgres = await startEmbeddedPostgres({ dataDir: madeBefore, logger: silentLogger });
  await query(postgres.url, "create table kept (n integer primary key)");
  await query(postgres.url, "insert into kept values (1)");
  await postgres.stop();
});

afterAll(() => removeTemporaryFolder(folder));

async function copyMadeBefore(): Promise<string> {
  const copy = newFolder();
  await run("cp", ["-a", madeBefore, copy]);
  return copy;
}

function newFolder(): string {
  return join(folder, `data-${++copies}`);
}

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, logger: silentLogger, ...options });
  onTestFinished(() => postgres.stop());
  return postgres;
}

function startOwner(...args: Parameters<typeof spawnEmbeddedOwner>): EmbeddedOwner {
  const owner = spawnEmbeddedOwner(...args);
  onTestFinished(() => owner.end("SIGKILL"));
  return owner;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const readKept = async (url: string) => (await query(url, "select n from kept order by n")).map(({ n }) => n);

function pidFile(dataDir: string): string {
  return join(dataDir, "postgres", "cluster", "postmaster.pid");
}

/** Dead processes whose new parent has not collected them yet do not count. */
async function isAlive(pid: number): Promise<boolean> {
  return (await identifyProcess(pid, folder)) !== "gone";
}

/** Stopped, it does not notice that the server is gone, and keeps the shared memory in use. */
async function pauseWriter(url: string): Promise<number> {
  const [writer] = await query(url, "select pid from pg_stat_activity where backend_type = 'walwriter'");
  process.kill(writer?.pid as number, "SIGSTOP");
  return writer?.pid as number;
}

describe("the embedded database", () => {
  it("is made on the first start and kept through the next", async () => {
    const dataDir = newFolder();
    const first = await start(dataDir);
    expect(first).toMatchObject({ adopted: false, state: "up", version: expect.stringMatching(/^18\./) });
    const [settings] = await query(
      first.url,
      `select current_setting('fsync') fsync, current_setting('synchronous_commit') commit,
              current_setting('listen_addresses') addresses, lower('ÄÉ') lower, 'a' < 'B' as by_language`,
    );
    expect(settings).toEqual({ fsync: "on", commit: "on", addresses: "", lower: "äé", by_language: false });
    await query(first.url, "create table kept as select 7 as n");
    await first.stop();
    expect(first.state).toBe("stopped");
    await expect(first.whenUp()).rejects.toThrow();

    const second = await start(dataDir);
    expect(second).toMatchObject({ adopted: false, url: first.url });
    expect(await readKept(second.url)).toEqual([7]);
  });

  it("keeps its password and its files to itself", async () => {
    const dataDir = await copyMadeBefore();
    const { url } = await start(dataDir);
    const modeOf = async (name: string) => ((await stat(join(dataDir, "postgres", name))).mode & 0o777).toString(8);
    expect(await Promise.all(["password", "server.log", "cluster", "socket"].map(modeOf))).toEqual([
      "600",
      "600",
      "700",
      "700",
    ]);
    const wrong = new URL(url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("is found by other commands while it runs, and only then", async () => {
    const dataDir = await copyMadeBefore();
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
    const postgres = await start(dataDir);
    expect(await findEmbeddedPostgres(dataDir)).toBe(postgres.url);
    await postgres.stop();
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
    expect(await findEmbeddedPostgres(newFolder())).toBeUndefined();
  });

  it.each([`odd, "quoted" & 100% näme?#+'$(x)`, "long".repeat(40)])("works in a folder called %s", async (name) => {
    const dataDir = newFolder();
    await mkdir(dataDir);
    await run("cp", ["-a", madeBefore, join(dataDir, name)]);
    const { url, stop } = await start(join(dataDir, name));
    expect(await readKept(url)).toEqual([1]);
    await stop();
  });

  it("gives up a start on request and leaves nothing running", async () => {
    const dataDir = await copyMadeBefore();
    await expect(start(dataDir, { signal: AbortSignal.abort(new Error("never mind")) })).rejects.toThrow("never mind");
    const postgres = await start(dataDir);
    expect(postgres.adopted).toBe(false);
  });
});

describe("a killed owner", () => {
  it("leaves a running server, which the next start adopts and stops in the end", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid, url } = await whenUp(owner);
    await query(url, "insert into kept values (2)");
    await owner.end("SIGKILL");
    expect(await isAlive(serverPid)).toBe(true);

    const postgres = await start(dataDir);
    expect(postgres).toMatchObject({ adopted: true, serverPid, url });
    expect(await readKept(postgres.url)).toEqual([1, 2]);
    await postgres.stop();
    expect(await isAlive(serverPid)).toBe(false);
  });

  it("stops its server itself when it is asked to end", async () => {
    const owner = startOwner({ dataDir: await copyMadeBefore() });
    const { serverPid } = await whenUp(owner);
    await owner.end("SIGTERM");
    expect(await isAlive(serverPid)).toBe(false);
  });

  it("whose server died with it is followed by one that recovers what was committed", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid, url } = await whenUp(owner);
    await query(url, "insert into kept values (2)");
    process.kill(serverPid, "SIGKILL");
    await owner.end("SIGKILL");
    const postgres = await start(dataDir);
    expect(postgres.adopted).toBe(false);
    expect(await readKept(postgres.url)).toEqual([1, 2]);
  });

  it("may leave server processes without a server, which are ended", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid, url } = await whenUp(owner);
    const writer = await pauseWriter(url);
    await owner.end("SIGKILL");
    process.kill(serverPid, "SIGKILL");
    const postgres = await start(dataDir);
    expect(await readKept(postgres.url)).toEqual([1]);
    expect(await isAlive(writer)).toBe(false);
  });

  it("may have started a server just before, which is adopted when it turns up", async () => {
    const dataDir = await copyMadeBefore();
    const { initdb, postgres: real, pgCtl } = await findBinaries();
    const binDir = join(folder, "late-server");
    await mkdir(binDir);
    for (const program of [initdb, pgCtl]) await symlink(program, join(binDir, basename(program)));
    // The first start finds that another server has come up in the meantime.
    const script = `#!/bin/sh
      if [ "$1" = -D ] && mkdir "${binDir}/once"; then
        "${real}" "$@" &
        until grep -q ready "${pidFile(dataDir)}"; do :; done
      fi
      exec "${real}" "$@"`;
    await writeFile(join(binDir, "postgres"), script, { mode: 0o755 });
    const postgres = await start(dataDir, { binDir });
    expect(postgres.adopted).toBe(true);
    expect(await readKept(postgres.url)).toEqual([1]);
  });

  it("leaves a server that is replaced when its process id file was lost", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid, url } = await whenUp(owner);
    await query(url, "insert into kept values (2)");
    await owner.end("SIGKILL");
    await rm(pidFile(dataDir));
    const postgres = await start(dataDir);
    expect(await isAlive(serverPid)).toBe(false);
    expect(await readKept(postgres.url)).toEqual([1, 2]);
  });

  it("leaves a server that is replaced when the data folder was renamed meanwhile", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid } = await whenUp(owner);
    await owner.end("SIGKILL");
    const renamed = newFolder();
    await rename(dataDir, renamed);
    const postgres = await start(renamed);
    expect(postgres.adopted).toBe(false);
    expect(await isAlive(serverPid)).toBe(false);
    expect(await readKept(postgres.url)).toEqual([1]);
  });

  it.each(["PG_VERSION", "base/5/PG_VERSION"])(
    "in the middle of the first start (at %s) spoils nothing",
    async (mark) => {
      const dataDir = newFolder();
      const owner = startOwner({ dataDir });
      const home = join(dataDir, "postgres");
      const unfinished = await until(async () => {
        const names = await readdir(home).catch((): string[] => []);
        const making = names.find((name) => /^making-[0-9a-f]/.test(name));
        if (names.includes("cluster")) throw new Error("the database was made before it could be interrupted");
        return making && (await stat(join(home, making, "cluster", mark)).catch(() => undefined)) && making;
      });
      await owner.end("SIGKILL");
      expect(await readdir(home)).toContain(unfinished);
      expect(await readdir(home)).not.toContain("cluster");
      const { url } = await start(dataDir);
      expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
      expect((await readdir(home)).filter((name) => name.startsWith("making"))).toEqual([]);
    },
  );
});

describe("a server that dies", () => {
  it("is started again at the same url, and no acknowledged commit is lost", async () => {
    const postgres = await start(await copyMadeBefore());
    const acknowledged: number[] = [];
    let next = 2;
    let writing = true;
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const n = next++;
        await postgres.whenUp();
        // A number whose insert failed may still be in; only what was acknowledged must be.
        await query(postgres.url, `insert into kept values (${n})`).then(
          () => acknowledged.push(n),
          () => undefined,
        );
      }
    });
    const seen = new Set<number>();
    for (let round = 1; round <= 3; round++) {
      const enough = acknowledged.length + 20;
      await until(() => acknowledged.length >= enough);
      seen.add(postgres.serverPid);
      process.kill(postgres.serverPid, "SIGKILL");
      await until(() => !seen.has(postgres.serverPid));
    }
    const enough = acknowledged.length + 20;
    await until(() => acknowledged.length >= enough);
    writing = false;
    await Promise.all(writers);
    expect(seen.size).toBe(3);
    expect(await readKept(postgres.url)).toEqual(expect.arrayContaining(acknowledged));
  });

  it("is started again if it was adopted, too", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid } = await whenUp(owner);
    await owner.end("SIGKILL");
    const postgres = await start(dataDir);
    expect(postgres.adopted).toBe(true);
    process.kill(serverPid, "SIGKILL");
    await until(() => postgres.serverPid !== serverPid);
    await postgres.whenUp();
    expect(await readKept(postgres.url)).toEqual([1]);
  });
});

describe("a second owner", () => {
  it("is refused and told who is there and what to do", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid } = await whenUp(owner);
    owner.process.kill("SIGSTOP");
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "DATA_DIR_IN_USE",
      message: expect.stringMatching(new RegExp(`${owner.pid}.*stop it.*--data-dir`)),
    });
    expect(await isAlive(serverPid)).toBe(true);
  });

  it("is refused when both start at once on a new folder, and comes up once the first is killed", async () => {
    const dataDir = newFolder();
    const owners = Array.from({ length: 4 }, () => startOwner({ dataDir }));
    const reports = await Promise.all(owners.map((owner) => owner.report));
    const winners = owners.filter((_, index) => reports[index]?.outcome === "up");
    expect(winners).toHaveLength(1);
    expect(reports.filter((report) => report.outcome === "refused" && report.code === "DATA_DIR_IN_USE")).toHaveLength(
      3,
    );
    await winners[0]?.end("SIGKILL");
    expect(await start(dataDir)).toMatchObject({ adopted: true });
  });
});

describe("a process id file left behind", () => {
  const left = (pid: number | string) => `${pid}\n/elsewhere\n1700000000\n5432\n/elsewhere\n\n  1  1\nready   \n`;
  const longGone = 2 ** 22 - 1;

  async function startBeside(text: string): Promise<void> {
    const dataDir = await copyMadeBefore();
    await writeFile(pidFile(dataDir), text, { mode: 0o600 });
    // The socket has such a file of its own.
    await writeFile(join(dataDir, "postgres", "socket", ".s.PGSQL.5432.lock"), text, { mode: 0o600 });
    const postgres = await start(dataDir);
    expect(postgres.adopted).toBe(false);
    expect(await readKept(postgres.url)).toEqual([1]);
  }

  it("by a process that is gone is no obstacle", () => startBeside(left(longGone)));

  it("whose number another process has now is no obstacle", async () => {
    const stranger = spawn("sleep", ["1000"]);
    onTestFinished(() => void stranger.kill());
    await startBeside(left(stranger.pid as number));
    expect(stranger.exitCode).toBeNull();
  });

  it("by a dead process that nobody collected is no obstacle", async () => {
    const { pid, parent } = await spawnUncollected();
    onTestFinished(() => void parent.kill());
    await startBeside(left(pid));
  });

  it("and empty is no obstacle", () => startBeside(""));

  it("with a stranger's number still leads to the processes of the old server", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir });
    const { serverPid, url } = await whenUp(owner);
    const writer = await pauseWriter(url);
    await owner.end("SIGKILL");
    process.kill(serverPid, "SIGKILL");
    const stranger = spawn("sleep", ["1000"]);
    onTestFinished(() => void stranger.kill());
    const text = await readFile(pidFile(dataDir), "utf8");
    await writeFile(pidFile(dataDir), text.replace(/^\d+/, String(stranger.pid)));
    const postgres = await start(dataDir);
    expect(await readKept(postgres.url)).toEqual([1]);
    expect(await isAlive(writer)).toBe(false);
  });
});

describe("a port on loopback", () => {
  it("is chosen anew when another program has taken it", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    let proposals = 0;
    const postgres = await start(await copyMadeBefore(), {
      listen: "tcp",
      proposePort: async () => (++proposals === 1 ? port : freePort()),
    });
    expect(proposals).toBe(2);
    expect(new URL(postgres.url)).toMatchObject({ hostname: "127.0.0.1" });
    expect(await readKept(postgres.url)).toEqual([1]);
  });

  it("stays the same through a restart, even if another program had it for a while", async () => {
    const postgres = await start(await copyMadeBefore(), { listen: "tcp" });
    const port = Number(new URL(postgres.url).port);
    const { serverPid } = postgres;
    const thief = createServer();
    process.kill(serverPid, "SIGKILL");
    await until(() => steal(thief, port));
    await until(() => postgres.state === "restarting");
    await new Promise((resolve) => thief.close(resolve));
    await postgres.whenUp();
    expect(await readKept(postgres.url)).toEqual([1]);
  });

  it("is kept by an adopted server, and given up when a socket is asked for", async () => {
    const dataDir = await copyMadeBefore();
    const owner = startOwner({ dataDir, listen: "tcp" });
    const { url } = await whenUp(owner);
    await owner.end("SIGKILL");
    const adopted = await start(dataDir, { listen: "tcp" });
    expect(adopted).toMatchObject({ adopted: true, url });
    await adopted.stop();

    const again = startOwner({ dataDir, listen: "tcp" });
    await whenUp(again);
    await again.end("SIGKILL");
    const onSocket = await start(dataDir);
    expect(onSocket.adopted).toBe(false);
    expect(await readKept(onSocket.url)).toEqual([1]);
  });

  async function freePort(): Promise<number> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  /** True once the thief listens on the port, or the server was quicker and has it again. */
  function steal(thief: ReturnType<typeof createServer>, port: number): Promise<boolean> {
    return new Promise((resolve) => {
      thief.once("error", () => resolve(false));
      thief.listen(port, "127.0.0.1", () => resolve(true));
    });
  }
});

describe("a data folder that cannot be used as it is", () => {
  it.each(["700", "755", "777"])("is fine with permissions %s", async (octal) => {
    const mode = Number.parseInt(octal, 8);
    const dataDir = await copyMadeBefore();
    await chmod(dataDir, mode);
    // As a backup tool may restore them.
    await chmod(join(dataDir, "postgres"), mode);
    await chmod(join(dataDir, "postgres", "cluster"), mode);
    await chmod(join(dataDir, "postgres", "password"), mode);
    const { url } = await start(dataDir);
    expect(await readKept(url)).toEqual([1]);
    expect((await stat(dataDir)).mode & 0o777).toBe(mode);
    expect((await stat(join(dataDir, "postgres", "password"))).mode & 0o777).toBe(0o600);
  });

  it("is reported when it is a file, or inside one", async () => {
    const file = newFolder();
    await writeFile(file, "");
    for (const dataDir of [file, join(file, "data")]) {
      await expect(start(dataDir)).rejects.toMatchObject({
        code: "DATA_DIR_NOT_A_FOLDER",
        message: expect.stringMatching(`${file}.*--data-dir`),
      });
    }
  });

  it("is reported when we may not write there", async () => {
    const closed = newFolder();
    await mkdir(closed, { mode: 0o555 });
    // Root may write anywhere, so somebody else has to try.
    const owner = startOwner({ dataDir: join(closed, "data") }, isRoot ? nobody : {});
    expect(await owner.report).toMatchObject({
      code: "DATA_DIR_NOT_WRITABLE",
      message: expect.stringMatching(/user with id \d+.*chown.*--data-dir/),
    });
  });

  it.runIf(isRoot)("is reported when its database belongs to somebody else", async () => {
    const owner = startOwner({ dataDir: await copyMadeBefore() }, nobody);
    expect(await owner.report).toMatchObject({ code: "DATA_DIR_NOT_WRITABLE" });
  });

  it("is reported when its database is of another major version", async () => {
    const dataDir = await copyMadeBefore();
    await writeFile(join(dataDir, "postgres", "cluster", "PG_VERSION"), "17\n");
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "EMBEDDED_VERSION_MISMATCH",
      message: expect.stringMatching(/PostgreSQL 17.*PostgreSQL 18.*pg_dump/),
    });
  });

  it("is reported when its database or the password is missing, and nothing is overwritten", async () => {
    const dataDir = await copyMadeBefore();
    const home = join(dataDir, "postgres");
    await rename(join(home, "password"), join(home, "password.away"));
    await expect(start(dataDir)).rejects.toMatchObject({ code: "EMBEDDED_PASSWORD_MISSING" });
    await writeFile(join(home, "password"), "another\n");
    await expect(start(dataDir)).rejects.toMatchObject({ code: "EMBEDDED_PASSWORD_WRONG" });
    await rename(join(home, "password.away"), join(home, "password"));
    await rename(join(home, "cluster", "PG_VERSION"), join(home, "PG_VERSION.away"));
    await expect(start(dataDir)).rejects.toMatchObject({ code: "EMBEDDED_CLUSTER_DAMAGED" });
    await rename(join(home, "PG_VERSION.away"), join(home, "cluster", "PG_VERSION"));
    const { url } = await start(dataDir);
    expect(await readKept(url)).toEqual([1]);
  });

  it("is reported with PostgreSQL's own words when a setting is wrong", async () => {
    await expect(start(await copyMadeBefore(), { settings: { shared_bufers: "1GB" } })).rejects.toMatchObject({
      code: "EMBEDDED_START_FAILED",
      message: expect.stringContaining('unrecognized configuration parameter "shared_bufers"'),
    });
  });

  const scenario = fileURLToPath(new URL("full-disk-scenario.ts", import.meta.url));
  const mayMount = isRoot && spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

  it.skipIf(!mayMount)(
    "is reported when the disk is full, and goes on by itself when there is room (needs mount)",
    async () => {
      const disk = newFolder();
      await mkdir(disk);
      const { stdout } = await run("unshare", ["--mount", process.execPath, scenario, disk]);
      expect(JSON.parse(stdout)).toEqual({ noRoomToMake: "DISK_FULL", left: [], noRoomToStart: "DISK_FULL", lost: 0 });
    },
  );
});

describe.skipIf(!isRoot)("started by root (skipped for others)", () => {
  it("the server is root to the outside, so that root's closed folders are no obstacle", async () => {
    const closed = newFolder();
    await mkdir(closed, { mode: 0o700 });
    await run("cp", ["-a", madeBefore, join(closed, "data")]);
    const { url, serverPid, stop } = await start(join(closed, "data"));
    expect(await readKept(url)).toEqual([1]);
    expect(await readFile(`/proc/${serverPid}/uid_map`, "utf8")).toMatch(/^\s*65534\s+0\s+1\s*$/);
    await stop();
  });

  it("without user namespaces the server is nobody, and can change back", async () => {
    const dataDir = newFolder();
    const asNobody = await start(dataDir, { unshare: "false" });
    expect((await stat(`/proc/${asNobody.serverPid}`)).uid).toBe(nobody.uid);
    await query(asNobody.url, "create table kept as select 7 as n");
    await asNobody.stop();

    const inNamespace = await start(dataDir);
    expect(await readKept(inNamespace.url)).toEqual([7]);
    await inNamespace.stop();
    const again = await start(dataDir, { unshare: "false" });
    expect(await readKept(again.url)).toEqual([7]);
  });

  it("without user namespaces it says which folder keeps nobody out", async () => {
    const closed = newFolder();
    await mkdir(closed, { mode: 0o700 });
    await expect(start(join(closed, "data"), { unshare: "no-such-program" })).rejects.toMatchObject({
      code: "EMBEDDED_ROOT_REFUSED",
      message: expect.stringMatching(`no-such-program.*${closed} is closed.*ordinary user.*DATABASE_URL`),
    });
  });

  it("what is in an ordinary user's folder stays that user's", async () => {
    const dataDir = newFolder();
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, nobody.uid, nobody.gid);
    const byRoot = await start(dataDir);
    await query(byRoot.url, "create table kept as select 7 as n");
    await byRoot.stop();
    const owner = startOwner({ dataDir }, nobody);
    expect(await readKept((await whenUp(owner)).url)).toEqual([7]);
    await owner.end("SIGTERM");
  });

  it("an ordinary user needs none of this", async () => {
    const home = newFolder();
    await mkdir(home);
    await chown(home, nobody.uid, nobody.gid);
    const owner = startOwner({ dataDir: join(home, "data") }, nobody);
    const { serverPid, url } = await whenUp(owner);
    expect((await stat(`/proc/${serverPid}`)).uid).toBe(nobody.uid);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    await owner.end("SIGTERM");
    await rm(home, { recursive: true });
  });

  it("a user without a name gets one in a user namespace, or is told", async () => {
    const home = newFolder();
    await mkdir(home);
    const unnamed = { uid: 54321, gid: 54321 };
    await chown(home, unnamed.uid, unnamed.gid);
    const refused = startOwner({ dataDir: join(home, "data"), unshare: "false" }, unnamed);
    expect(await refused.report).toMatchObject({
      code: "EMBEDDED_USER_UNNAMED",
      message: expect.stringMatching(/54321.*\/etc\/passwd/),
    });
    const owner = startOwner({ dataDir: join(home, "data") }, unnamed);
    await whenUp(owner);
    await owner.end("SIGTERM");
  });
});
