/** The audit log: what was done to the server, when, by whom and from where. It is only ever added to, until it is old. */
import type { AuditEntry } from "../contract/access.ts";
import type { Queryable } from "../db/database.ts";
import { sql, toJson } from "../db/sql.ts";
import type { Identity } from "./identity.ts";

export interface AuditedAction {
  /** Dotted: what it was done to, then what was done. */
  action: string;
  /** The id or name of what it was done to. */
  target?: string | null;
  who?: Pick<Identity, "keyId" | "name"> | null;
  address?: string | null;
  details?: Record<string, unknown>;
}

export async function recordAction(db: Queryable, { action, target, who, address, details }: AuditedAction) {
  await db.query(sql`
    insert into audit_log (key_id, actor, address, action, target, details)
    values (${who?.keyId ?? null}, ${who?.name ?? null}, ${address ?? null}, ${action}, ${target ?? null},
      ${toJson(details ?? {})})`);
}

/** A page of entries, newest first. */
export async function readAuditLog(db: Queryable, page: { limit: number; before?: number }): Promise<AuditEntry[]> {
  const rows = await db.query<Omit<AuditEntry, "at"> & { at: Date }>(sql`
    select id, at, actor, address, action, target, details from audit_log
    where id < coalesce(${page.before ?? null}::bigint, 9223372036854775807)
    order by id desc limit ${page.limit}`);
  return rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
}
