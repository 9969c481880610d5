/**
 * Writes the connections of some passages. Both ends are held while it does, so a passage that a reprocess takes away at
 * the same moment costs its connection and never the job. What people have judged is not touched.
 */
import type { connectionTypes } from "../../../contract/documents.ts";
import { derivedId, rowsOf, sql, type Transaction, toJson } from "../../../jobs/index.ts";

type ConnectionType = (typeof connectionTypes)[number];

export interface FoundConnection {
  sourceId: string;
  targetId: string;
  type: ConnectionType;
  /** 0 to 1. */
  strength: number;
  details: Record<string, unknown>;
}

/** Replaces what was known of these passages and types; answers how many connections there are now. */
export async function saveConnections(
  tx: Transaction,
  sourceIds: readonly string[],
  types: readonly ConnectionType[],
  found: readonly FoundConnection[],
): Promise<number> {
  const ends = [...new Set(found.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))].sort();
  // In one order for everyone, so that two who connect the same passages wait for each other instead of deadlocking.
  const held = await tx.query<{ id: string; documentId: string }>(sql`
    select id, document_id from chunks where id = any (${ends}::uuid[]) order by id for key share`);
  const documentOf = new Map(held.map(({ id, documentId }) => [id, documentId]));
  const rows = found.flatMap(({ sourceId, targetId, type, strength, details }) => {
    const [source, target] = [documentOf.get(sourceId), documentOf.get(targetId)];
    if (source === undefined || target === undefined || source === target) return [];
    return [
      {
        id: derivedId(sourceId, targetId, type),
        source_chunk_id: sourceId,
        target_chunk_id: targetId,
        source_document_id: source,
        target_document_id: target,
        type,
        strength,
        details: toJson(details),
      },
    ];
  });
  await tx.query(sql`
    delete from connections k
    where k.source_chunk_id = any (${sourceIds}::uuid[]) and k.type = any (${types}::text[])
      and k.user_validated is null and not k.user_starred and not k.id = any (${rows.map(({ id }) => id)}::uuid[])`);
  if (rows.length === 0) return 0;
  await tx.query(sql`
    insert into connections as k (id, source_chunk_id, target_chunk_id, source_document_id, target_document_id, type, strength, details)
    select r.id, r.source_chunk_id, r.target_chunk_id, r.source_document_id, r.target_document_id, r.type, r.strength, r.details::jsonb
    from (${rowsOf(
      {
        id: "uuid",
        source_chunk_id: "uuid",
        target_chunk_id: "uuid",
        source_document_id: "uuid",
        target_document_id: "uuid",
        type: "text",
        strength: "double precision",
        details: "text",
      },
      rows,
    )}) r
    order by least(r.source_chunk_id, r.target_chunk_id), greatest(r.source_chunk_id, r.target_chunk_id)
    on conflict (least(source_chunk_id, target_chunk_id), greatest(source_chunk_id, target_chunk_id), type)
    do update set strength = excluded.strength,
      -- Details name what the source and what the target says: found from the other end, they are the other way round.
      details = case when k.source_chunk_id = excluded.source_chunk_id then excluded.details else k.details end`);
  return rows.length;
}
