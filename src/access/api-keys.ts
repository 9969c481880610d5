/** API keys: made, listed, found and revoked. A key is usable until it is revoked or has expired. */
import { randomUUID } from "node:crypto";
import type { ApiKey, CreatedApiKey, KeyScope } from "../contract/access.ts";
import type { Queryable } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import { makeKeyText } from "./key-text.ts";

export interface NewKey {
  name: string;
  scope: KeyScope;
  expiresInDays?: number;
}

type KeyRow = Omit<ApiKey, "createdAt" | "lastUsedAt" | "expiresAt" | "revokedAt"> & {
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

const columns = sql`id, name, scope, prefix, created_at, last_used_at, expires_at, revoked_at`;

/** Whether the key may be used now; for a statement that reads `api_keys`. */
export const isUsable: Sql = sql`revoked_at is null and (expires_at is null or expires_at > now())`;

export async function createKey(db: Queryable, { name, scope, expiresInDays }: NewKey): Promise<CreatedApiKey> {
  const { key, prefix, hash } = makeKeyText();
  const [row] = await db.query<KeyRow>(sql`
    insert into api_keys (id, name, scope, prefix, secret_hash, expires_at)
    values (${randomUUID()}, ${name}, ${scope}, ${prefix}, ${hash}, now() + make_interval(days => ${expiresInDays ?? null}))
    returning ${columns}`);
  return { ...toApiKey(row as KeyRow), key };
}

/** Newest first, revoked ones too: they explain what the audit log names. */
export async function listKeys(db: Queryable): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(sql`select ${columns} from api_keys order by created_at desc, id`);
  return rows.map(toApiKey);
}

export async function countUsableKeys(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from api_keys where ${isUsable}`);
  return row?.count ?? 0;
}

export interface RevokeOptions {
  /** Refuses to take away the last usable key of scope admin: nobody could make another over HTTP. */
  keepAdmin?: boolean;
}

/** Takes a key's right and ends its sessions. Revoking again changes nothing. Throws NOT_FOUND, LAST_ADMIN_KEY. */
export async function revokeKey(db: Queryable, id: string, { keepAdmin = false }: RevokeOptions = {}): Promise<ApiKey> {
  // Two that revoke the last two keys of the scope at once would each see the other's: both wait for the same rows.
  const [row] = await db.query<KeyRow>(sql`
    with admins as materialized (
      select id from api_keys where scope = 'admin' and ${isUsable} order by id for update
    ), revoked as (
      update api_keys set revoked_at = coalesce(revoked_at, now())
      where id = ${id} and not (${keepAdmin} and exists (select from admins where admins.id = ${id})
        and not exists (select from admins where admins.id <> ${id}))
      returning ${columns}
    ), ended as (
      delete from sessions where key_id in (select id from revoked)
    )
    select * from revoked`);
  if (row) return toApiKey(row);
  const [known] = await db.query(sql`select from api_keys where id = ${id}`);
  if (!known) throw new DocmillError("NOT_FOUND", `There is no key ${id}. GET /api/keys lists them.`);
  throw new DocmillError(
    "LAST_ADMIN_KEY",
    "This is the last key of scope admin: without it no key could be made or revoked from here. Make another first.",
  );
}

function toApiKey({ createdAt, lastUsedAt, expiresAt, revokedAt, ...rest }: KeyRow): ApiKey {
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
