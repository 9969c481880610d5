/** What `docmill doctor` looks at. A check never throws and never changes anything: it says what is, and what to do. */
import { mkdtemp, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { maskPassword, type Settings } from "../config.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { findBinaries } from "../db/embedded/find-binaries.ts";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded/start-embedded-postgres.ts";
import { openHints } from "../db/hints.ts";
import { readSchemaState } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import { createLogger } from "../logger.ts";
import { openStorage } from "../open-documents.ts";
import type { Providers } from "../providers/own/own-providers.ts";
import { readServerVersion } from "../reach-database.ts";
import { checkAccess } from "./doctor-access-check.ts";
import { checkPeriodicWork } from "./doctor-periodic-check.ts";
import { checkProviders } from "./doctor-provider-checks.ts";
import { attempt, type Finding } from "./finding.ts";
import { providerHints } from "./provider-hints.ts";

const neededNode = 24;
const scarceBytes = 2 ** 30;
const tooFewBytes = 200 * 2 ** 20;
const tolerableMs = 2_000;
const echoWaitMs = 6_000;

const silent = createLogger({ level: "silent" });

export async function checkEverything(settings: Settings, providers: Providers): Promise<Finding[]> {
  return [
    checkNode(),
    await checkDisk(settings.dataDir),
    ...(await checkDatabase(settings)),
    await checkStorage(settings),
    ...(await checkProviders(settings, providers)),
  ];
}

function checkNode(): Finding {
  const subject = "Node.js";
  if (Number.parseInt(process.versions.node, 10) >= neededNode)
    return { result: "ok", subject, message: process.version };
  return {
    result: "fail",
    subject,
    message: `${process.version}; Docmill needs ${neededNode} or newer. Install it, or run npm install again.`,
  };
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const subject = "data folder";
  const path = resolve(dataDir);
  try {
    const { bavail, bsize } = await statfs(await nearestFolder(path));
    const free = bavail * bsize;
    const message = `${path}, ${(free / 2 ** 30).toFixed(1)} GB free`;
    if (free < tooFewBytes)
      return {
        result: "fail",
        subject,
        message: `${message}. Free some space, or choose another folder with --data-dir.`,
      };
    if (free < scarceBytes)
      return { result: "warn", subject, message: `${message}, which is little. Free some space soon.` };
    return { result: "ok", subject, message };
  } catch (error) {
    return {
      result: "fail",
      subject,
      message: `${path} cannot be looked at (${(error as Error).message}). Choose another one with --data-dir.`,
    };
  }
}

async function checkStorage(settings: Settings): Promise<Finding> {
  // A folder that is not there yet is made by the first start; looking must not make it.
  if (settings.storage === "folder") return { result: "ok", subject: "storage", message: "in the data folder" };
  return attempt("storage", async () => {
    const store = await openStorage(settings);
    try {
      await store.check();
      return store.place;
    } finally {
      await store.close();
    }
  });
}

/** The folder itself, or what there is on the way to it. */
async function nearestFolder(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined);
  return there || dirname(path) === path ? path : nearestFolder(dirname(path));
}

async function checkDatabase(settings: Settings): Promise<Finding[]> {
  const { databaseUrl, directUrl } = settings;
  if (databaseUrl !== undefined)
    return checkServer(settings, databaseUrl, directUrl ?? databaseUrl, maskPassword(databaseUrl));
  const binaries = await attempt("embedded PostgreSQL", async () => {
    const { postgres } = await findBinaries();
    return dirname(postgres);
  });
  if (binaries.result === "fail") return [binaries];
  return [binaries, ...(await checkEmbedded(settings))];
}

/** Looks at the database that runs, or starts the one in the data folder, or tries a new one somewhere else. */
async function checkEmbedded(settings: Settings): Promise<Finding[]> {
  const { dataDir } = settings;
  const running = await findEmbeddedPostgres(dataDir).catch(() => undefined);
  if (running !== undefined) return checkServer(settings, running, running, "embedded, running");
  const made = await stat(join(dataDir, "postgres", "cluster")).catch(() => undefined);
  const trial = made ? undefined : await mkdtemp(join(tmpdir(), "docmill-doctor-"));
  const findings: Finding[] = [];
  try {
    const started = await attempt("database", async () => {
      const postgres = await startEmbeddedPostgres({ dataDir: trial ?? dataDir, logger: silent });
      const about = trial
        ? "embedded, tried in a temporary folder; docmill serve makes the real one"
        : "embedded, started for this check";
      try {
        findings.push(
          ...(await checkServer(settings, postgres.url, postgres.url, about, trial ? "new" : "started here")),
        );
      } finally {
        await postgres.stop();
      }
      return about;
    });
    return findings.length > 0 ? findings : [started];
  } finally {
    if (trial) await rm(trial, { recursive: true, force: true });
  }
}

async function checkServer(
  settings: Settings,
  url: string,
  listenUrl: string,
  about: string,
  state: "in use" | "started here" | "new" = "in use",
): Promise<Finding[]> {
  const reached = await attempt("database", async () => `PostgreSQL ${await readServerVersion(url)}, ${about}`);
  if (reached.result === "fail")
    return [{ ...reached, message: `${about}: ${reached.message} Start it, or correct DATABASE_URL.` }];
  const db = openDatabase({ url, logger: silent, maxConnections: 2, applicationName: "docmill doctor" });
  try {
    return [
      reached,
      ...(state === "new" ? [] : [await checkSchema(listenUrl), await checkPeriodicWork(db, state === "in use")]),
      await checkAccess(db, settings),
      await attempt("vectors", () => describeVectors(db)),
      await checkHints(db, listenUrl),
      await checkClock(db),
    ];
  } finally {
    await db.close();
  }
}

async function checkSchema(url: string): Promise<Finding> {
  const subject = "migrations";
  try {
    const { applied, pending } = await readSchemaState(url);
    if (pending.length === 0) return { result: "ok", subject, message: `current (${applied.at(-1)?.name})` };
    const names = pending.map(({ name }) => name).join(", ");
    return { result: "warn", subject, message: `missing: ${names}. Run docmill migrate, or start docmill serve.` };
  } catch (error) {
    return { result: "fail", subject, message: (error as Error).message };
  }
}

/** Either way the answers are the same. */
async function describeVectors(db: Database): Promise<string> {
  const [vector] = await db.query<{ installed: string | null }>(
    sql`select installed_version as installed from pg_available_extensions where name = 'vector'`,
  );
  if (!vector) return `searched exactly, in the process; ${providerHints.search}`;
  return vector.installed === null ? "pgvector is there; the first start installs it" : `pgvector ${vector.installed}`;
}

/** A pooler in transaction mode swallows notifications: everything works, a little later. */
async function checkHints(db: Database, listenUrl: string): Promise<Finding> {
  const subject = "notifications";
  const hints = openHints({ db, listenUrl, logger: silent });
  try {
    const deadline = performance.now() + echoWaitMs;
    while (hints.delivering() === undefined && performance.now() < deadline) await delay(20);
    if (hints.delivering()) return { result: "ok", subject, message: "arrive" };
    return {
      result: "warn",
      subject,
      message:
        "do not arrive, so Docmill looks every DOCMILL_POLL_MS. Behind a pooler, set DOCMILL_DIRECT_URL to the database itself.",
    };
  } finally {
    await hints.close();
  }
}

async function checkClock(db: Database): Promise<Finding> {
  const subject = "clock";
  const askedAt = Date.now();
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const answeredAt = Date.now();
  const differenceMs = Math.round((row?.now.getTime() ?? Number.NaN) - (askedAt + answeredAt) / 2);
  const message = `${Math.abs(differenceMs)} ms ${differenceMs < 0 ? "ahead of" : "behind"} the database's`;
  if (Math.abs(differenceMs) <= tolerableMs) return { result: "ok", subject, message };
  return {
    result: "warn",
    subject,
    message: `${message}. Leases go by the database's clock and are safe; set this one (NTP) so that times in logs agree.`,
  };
}
