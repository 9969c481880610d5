/**
 * Tells who is asking from a key or a session's token. What was found is remembered for a few seconds, so that a page that
 * asks for ten things costs one look; a key that is revoked elsewhere is good for that long and no longer.
 */
import type { ApiKey, CreatedApiKey, KeyScope } from "../contract/access.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Logger } from "../logger.ts";
import { createKey, isUsable, listKeys, type NewKey, revokeKey } from "./api-keys.ts";
import { type AuditedAction, readAuditLog, recordAction } from "./audit-log.ts";
import type { Identity } from "./identity.ts";
import { hashSecret, isSameHash, prefixOf } from "./key-text.ts";
import { endSession, type StartedSession, startSession, tokenShape } from "./sessions.ts";

export interface AccessOptions {
  db: Database;
  logger: Logger;
  /** Whether whoever has no key may do nothing. */
  keysRequired: boolean;
  /** How long a browser stays signed in. */
  sessionHours: number;
}

export type Credential = { key: string } | { token: string };

export interface Access {
  readonly keysRequired: boolean;
  /** Undefined if the credential is wrong, revoked or has expired. */
  identify(credential: Credential): Promise<Identity | undefined>;
  signIn(identity: Identity): Promise<StartedSession>;
  signOut(token: string): Promise<void>;
  createKey(key: NewKey): Promise<CreatedApiKey>;
  listKeys(): Promise<ApiKey[]>;
  revokeKey(id: string): Promise<ApiKey>;
  /** Never fails: what was done is done, and the log says so if the database cannot. */
  record(action: AuditedAction): Promise<void>;
  readAuditLog: (page: { limit: number; before?: number }) => ReturnType<typeof readAuditLog>;
}

const rememberMs = 5_000;
const mostRemembered = 10_000;
/** Compared with when there is no such key, so that this takes as long. */
const noHash = Buffer.alloc(32);

interface KeyRow {
  id: string;
  name: string;
  scope: KeyScope;
  secretHash: Buffer;
}

export function createAccess({ db, logger, keysRequired, sessionHours }: AccessOptions): Access {
  const remembered = new Map<string, { identity: Promise<Identity | undefined>; until: number }>();

  async function findByKey(key: string): Promise<Identity | undefined> {
    const prefix = prefixOf(key);
    const [row] =
      prefix === undefined
        ? []
        : await db.query<KeyRow>(
            sql`select id, name, scope, secret_hash from api_keys where prefix = ${prefix} and ${isUsable}`,
          );
    if (!isSameHash(row?.secretHash ?? noHash, hashSecret(key)) || !row) return undefined;
    await db.query(sql`
      update api_keys set last_used_at = now()
      where id = ${row.id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
    return { keyId: row.id, name: row.name, scope: row.scope, sessionEndsAt: null };
  }

  async function findByToken(token: string): Promise<Identity | undefined> {
    if (!tokenShape.test(token)) return undefined;
    const [row] = await db.query<{ id: string; name: string; scope: KeyScope; endsAt: Date }>(sql`
      select k.id, k.name, k.scope, s.expires_at as ends_at
      from sessions s join (select * from api_keys where ${isUsable}) k on k.id = s.key_id
      where s.token_hash = ${hashSecret(token)} and s.expires_at > now()`);
    return row && { keyId: row.id, name: row.name, scope: row.scope, sessionEndsAt: row.endsAt.toISOString() };
  }

  return {
    keysRequired,

    identify(credential) {
      const secret = "key" in credential ? credential.key : credential.token;
      // By its hash: memory that is dumped shows no secrets that nobody is using any more. And by its kind: a session's token
      // that passed for a key could be exchanged for a new session when its own is over.
      const name = `${"key" in credential ? "key" : "token"} ${hashSecret(secret).toString("base64")}`;
      const now = performance.now();
      const known = remembered.get(name);
      if (known && known.until > now) return known.identity;
      if (remembered.size >= mostRemembered) remembered.clear();
      const identity = "key" in credential ? findByKey(secret) : findByToken(secret);
      remembered.set(name, { identity, until: now + rememberMs });
      const forget = () => remembered.delete(name);
      // A wrong one is not remembered: it may be created in the next moment, and guesses would fill the memory.
      identity.then((found) => found ?? forget(), forget);
      return identity;
    },

    signIn: ({ keyId }) => startSession(db, keyId as string, sessionHours),
    async signOut(token) {
      await endSession(db, token);
      remembered.clear();
    },
    createKey: (key) => createKey(db, key),
    listKeys: () => listKeys(db),
    async revokeKey(id) {
      const revoked = await revokeKey(db, id, { keepAdmin: keysRequired });
      remembered.clear();
      return revoked;
    },
    record: (action) =>
      recordAction(db, action).catch((error: unknown) => logger.error({ err: error, ...action }, "audit entry lost")),
    readAuditLog: (page) => readAuditLog(db, page),
  };
}
