/**
 * Connections to PostgreSQL. One driver, unnamed statements and no session state, so that the same code runs on the
 * embedded server, on a managed one and behind PgBouncer in transaction mode.
 */
import pg from "pg";
import type { Logger } from "../logger.ts";
import { prepareOn } from "./prepared-statements.ts";
import { runStatement } from "./run-statement.ts";
import type { Sql } from "./sql.ts";

export interface Queryable {
  /** Runs one statement; column names arrive in camelCase. */
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

export type Transaction = Queryable;

export interface Database extends Queryable {
  /** Runs `work` in a READ COMMITTED transaction; runs it again if PostgreSQL chose it as a deadlock's victim. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Connections in use, idle and wanted, for health reports. */
  usage(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  logger: Logger;
  maxConnections?: number;
  /**
   * How long a transaction may sit and wait for us before the server ends it: a process that was stopped in the middle
   * of one must not keep its locks for ever.
   */
  idleInTransactionMs?: number;
  applicationName?: string;
  /**
   * Have PostgreSQL keep its statements, parsed and planned, instead of planning each anew. For statements that come all
   * the time and find their rows by index: a kept plan does not look at how many rows there are.
   */
  prepare?: boolean;
}

const deadlockTries = 5;
/** A claim, a merged write, an insert and one more that follows on a batch's end; more would wait for the same rows. */
const preparedConnections = 4;
/** A plan that was made for a table as it was is not kept for ever. */
const longestPlanSeconds = 600;

/** Connections for statements that come all the time. */
export function openPreparedDatabase(options: Omit<DatabaseOptions, "prepare" | "maxConnections">): Database {
  return openDatabase({ ...options, prepare: true, maxConnections: preparedConnections });
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName ?? "docmill",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser },
    ...(options.prepare ? { onConnect: prepareOn, maxLifetimeSeconds: longestPlanSeconds } : {}),
  });
  // A connection that breaks while idle, or between the statements of a transaction, reports here; without a listener
  // it would end the process. Whoever uses the connection next gets the error as a rejected query.
  pool.on("error", (error) => options.logger.debug({ err: error }, "idle database connection lost"));
  pool.on("connect", (client) => {
    client.on("error", (error: Error) => options.logger.debug({ err: error }, "database connection lost"));
  });

  // Both in one message, so that the setting costs no round trip.
  const begin = `begin; set local idle_in_transaction_session_timeout = ${Math.round(options.idleInTransactionMs ?? 60_000)}`;

  return {
    query: (statement) => onConnection(pool, (client) => runStatement(client, statement)),

    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pool, begin, work);
        } catch (error) {
          if (!isDeadlockVictim(error) || attempt === deadlockTries) throw error;
        }
      }
    },

    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/** A connection on which something went wrong is not used again. */
async function onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

async function runTransaction<T>(pool: pg.Pool, begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work({ query: (statement) => runStatement(client, statement) });
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const int8 = 20;

// bigint arrives as text by default; every bigint here is a count, far below 2^53.
function getTypeParser(oid: number, format?: unknown) {
  if (oid === int8) return Number;
  return pg.types.getTypeParser(oid, format as "text");
}

/** Whether PostgreSQL undid the work to break a deadlock: it may be tried again at once. */
export function isDeadlockVictim(error: unknown): boolean {
  const code = sqlState(error);
  return code === "40P01" || code === "40001";
}

/** PostgreSQL's five-character error code, when the error has one. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the database's own disk had no room for it: nothing was written, and the same may succeed once there is. */
export function isDiskFull(error: unknown): boolean {
  return sqlState(error) === "53100";
}

const socketCodes = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);

/**
 * Whether the database could not be reached or went away, so that the same statement may succeed later.
 * After such an error a write may or may not have been committed.
 */
export function isConnectionError(error: unknown): boolean {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown };
  // First, because EPIPE would pass for a code of PostgreSQL's. A missing socket file is a missing server; any other
  // missing file is someone else's affair.
  if (code === "ENOENT") return syscall === "connect";
  if (typeof code === "string" && socketCodes.has(code)) return true;
  const state = sqlState(error);
  // 57P0x: shutting down or starting up; 08: connection; 53300: too many connections; 25P03: idle transaction ended.
  if (state) return /^(57P0[1-5]|08...|53300|25P03)$/.test(state);
  // The driver gives these no code.
  return (
    typeof message === "string" &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|server closed the connection|Client was closed)/.test(
      message,
    )
  );
}

/**
 * Whether a connection error came before anything was sent: nobody listened, or nobody was let in. What was to be written
 * in one transaction has then certainly not been.
 */
export function wasNeverReached(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const codes = ["ENOENT", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "57P03", "53300"];
  if (typeof code === "string") return isConnectionError(error) && codes.includes(code);
  return typeof message === "string" && message.startsWith("timeout exceeded when trying to connect");
}
