/** A browser's session: begun with a key, known by a random token of which only a hash is kept, over with its key. */
import { randomBytes } from "node:crypto";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { hashSecret } from "./key-text.ts";

const tokenBytes = 32;
export const tokenShape = /^[A-Za-z0-9_-]{43}$/;

export interface StartedSession {
  token: string;
  endsAt: Date;
}

export async function startSession(db: Queryable, keyId: string, hours: number): Promise<StartedSession> {
  const token = randomBytes(tokenBytes).toString("base64url");
  const [row] = await db.query<{ expiresAt: Date }>(sql`
    insert into sessions (token_hash, key_id, expires_at)
    select ${hashSecret(token)}, id, least(now() + make_interval(hours => ${hours}), expires_at)
    from api_keys where id = ${keyId}
    returning expires_at`);
  return { token, endsAt: (row as { expiresAt: Date }).expiresAt };
}

export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.query(sql`delete from sessions where token_hash = ${hashSecret(token)}`);
}
