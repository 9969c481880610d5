/**
 * Hints between processes: "something about this topic changed, look now". They ride on LISTEN/NOTIFY and may be lost,
 * late or doubled; whoever listens polls as well, and is right without them.
 *
 * NOTIFY takes a lock that all commits of a database share, so hints are sent after the commit and merged over a few
 * milliseconds. Only the first one after a quiet moment may ride inside its transaction, where it is the fastest.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Logger } from "../logger.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

const channel = "docmill";
const mergeMs = 20;
/** PostgreSQL takes payloads below 8,000 bytes. */
const maxPayload = 7_800;
const maxPayloads = 4;
const reconnectMs = 1_000;
const echoMs = 3_000;

export interface Hints {
  /** Tells all processes, this one included. */
  publish(topics: readonly string[]): void;
  /** A payload to send with pg_notify inside the caller's own transaction, or null if `publish` should be used. */
  inline(topics: readonly string[]): string | null;
  /** Tells only the listeners in this process: the others have it from an inline hint. */
  tellHere(topics: readonly string[]): void;
  /**
   * Calls `listener` with the topics that changed, or with null when any may have. Topics are written `<class>:<name>`;
   * where too many of a class changed to name them, `<class>:*` stands for all.
   */
  subscribe(listener: (topics: ReadonlySet<string> | null) => void): () => void;
  /** Whether hints from other processes arrive: false behind a pooler that swallows LISTEN; undefined until known. */
  delivering(): boolean | undefined;
  close(): Promise<void>;
}

export interface HintsOptions {
  db: Queryable;
  /** A direct connection for LISTEN; null to go without hints from other processes. */
  listenUrl: string | null;
  logger: Logger;
}

export function openHints({ db, listenUrl, logger }: HintsOptions): Hints {
  const sender = randomUUID().slice(0, 8);
  const listeners = new Set<(topics: ReadonlySet<string> | null) => void>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  /** On a clock that nobody sets. */
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  const tellListeners = (topics: ReadonlySet<string> | null) => {
    for (const listener of listeners) listener(topics);
  };

  const send = () => {
    timer = undefined;
    lastSentAt = performance.now();
    const payloads = toPayloads(sender, [...waiting]);
    waiting.clear();
    sending = sending
      // A hint that a crash of the server loses is no loss, so its commit need not wait for the disk.
      .then(() =>
        db.query(sql`
        select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`),
      )
      .then(() => undefined)
      .catch((error: Error) => logger.debug({ err: error }, "hint not sent"));
  };

  const listening = listenUrl === null ? undefined : listen(listenUrl, sender, tellListeners, db, logger);

  return {
    publish(topics) {
      if (closed || topics.length === 0) return;
      tellListeners(new Set(topics));
      for (const topic of topics) waiting.add(topic);
      timer ??= setTimeout(send, mergeMs);
    },

    inline(topics) {
      if (closed || timer !== undefined || performance.now() - lastSentAt < mergeMs) return null;
      const [payload, ...more] = toPayloads(sender, topics);
      if (payload === undefined || more.length > 0) return null;
      lastSentAt = performance.now();
      return payload;
    },

    tellHere: (topics) => tellListeners(new Set(topics)),

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    delivering: () => (listening ? listening.delivering() : false),

    async close() {
      closed = true;
      listeners.clear();
      if (timer) {
        clearTimeout(timer);
        send();
      }
      await sending;
      await listening?.close();
    },
  };
}

/** The statement part that sends an inline hint with whatever transaction it is in; sends nothing for null. */
export function notifyInline(payload: string | null) {
  return sql`select pg_notify(${channel}, ${payload}::text) where ${payload}::text is not null`;
}

function toPayloads(sender: string, topics: readonly string[]): string[] {
  const payloads: string[] = [];
  let current = sender;
  let size = sender.length;
  for (const topic of topics) {
    size += 1 + Buffer.byteLength(topic);
    if (size > maxPayload) {
      payloads.push(current);
      current = sender;
      size = sender.length + 1 + Buffer.byteLength(topic);
      if (payloads.length === maxPayloads) return [[sender, ...new Set(topics.map(wholeClass))].join("\n")];
    }
    current += `\n${topic}`;
  }
  return [...payloads, current];
}

/** The topic that stands for all of the given one's class. */
export function wholeClass(topic: string): string {
  return `${topic.slice(0, topic.indexOf(":") + 1)}*`;
}

/** Keeps one LISTEN connection up. Every (re)connect counts as "anything may have changed". */
function listen(
  url: string,
  self: string,
  tell: (topics: ReadonlySet<string> | null) => void,
  db: Queryable,
  logger: Logger,
) {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let echoTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let heard: boolean | undefined;
  const echo = `echo:${self}`;

  const connect = async () => {
    const mine = new pg.Client({
      connectionString: url,
      application_name: "docmill hints",
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    client = mine;
    const reconnect = (error?: Error) => {
      if (client !== mine || closed) return;
      client = undefined;
      heard = undefined;
      mine.end().catch(() => undefined);
      logger.debug({ err: error }, "hint connection lost");
      retry = setTimeout(connect, reconnectMs);
    };
    mine.on("error", reconnect);
    mine.on("end", () => reconnect());
    mine.on("notification", ({ payload = "" }) => {
      const [from, ...topics] = payload.split("\n");
      if (topics[0] === echo) heard = true;
      else if (from !== self) tell(new Set(topics));
    });
    try {
      await mine.connect();
      await mine.query(`listen ${channel}`);
      tell(null);
      // A pooler in transaction mode accepts LISTEN and delivers nothing: only an echo tells.
      await db.query(sql`select pg_notify(${channel}, ${`${self}\n${echo}`})`);
      clearTimeout(echoTimer);
      echoTimer = setTimeout(() => {
        if (heard || client !== mine) return;
        heard = false;
        logger.warn(
          "notifications do not arrive over this connection; polling instead (set DOCMILL_DIRECT_URL to a direct one)",
        );
      }, echoMs);
      echoTimer.unref();
    } catch (error) {
      reconnect(error as Error);
    }
  };
  void connect();

  return {
    delivering: () => heard,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(echoTimer);
      await client?.end().catch(() => undefined);
    },
  };
}
