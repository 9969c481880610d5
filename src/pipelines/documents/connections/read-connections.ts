/** Connections as `/api/connections` gives them, strongest first, and what people say about them. */
import type { Connection, ConnectionChange, ConnectionList, ConnectionQuery } from "../../../contract/documents.ts";
import { DocmillError } from "../../../errors.ts";
import { allOf, type Database, decodeCursor, encodeCursor, isUuid, type Sql, sql } from "../../../jobs/index.ts";

interface ConnectionRecord {
  id: string;
  type: Connection["type"];
  strength: number;
  details: Record<string, unknown>;
  userValidated: boolean | null;
  userStarred: boolean;
  createdAt: Date;
  source: Connection["source"];
  target: Connection["target"];
}

const excerpt = 2_000;

function endOf(alias: Sql): Sql {
  return sql`(
    select jsonb_build_object('chunkId', c.id, 'documentId', d.id, 'documentTitle', coalesce(d.title, d.filename),
      'index', c.index, 'page', c.page_from, 'headingPath', to_jsonb(c.heading_path), 'start', c.start_offset, 'end', c.end_offset,
      'content', left(c.content, ${excerpt}))
    from chunks c join documents d on d.id = c.document_id where c.id = ${alias})`;
}

const columns = sql`
  k.id, k.type, k.strength, k.details, k.user_validated, k.user_starred, k.created_at,
  ${endOf(sql`k.source_chunk_id`)} as source, ${endOf(sql`k.target_chunk_id`)} as target`;

export async function readConnections(db: Database, query: ConnectionQuery): Promise<ConnectionList> {
  const { documentId, type, starred, limit, cursor } = query;
  const conditions: Sql[] = [];
  if (type !== undefined) conditions.push(sql`type = ${type}`);
  if (starred !== undefined) conditions.push(sql`user_starred = ${starred === "true"}`);
  if (cursor !== undefined) {
    const [strength, id] = decodeCursor(cursor, isPosition);
    conditions.push(sql`(strength < ${strength}::real or (strength = ${strength}::real and id > ${id}::uuid))`);
  }
  // A side each, from its own index; a connection never has the same document on both.
  const side = (column: Sql) => sql`
    (select * from connections where ${allOf([...conditions, column])} order by strength desc, id limit ${limit + 1})`;
  const found =
    documentId === undefined
      ? side(sql`true`)
      : sql`${side(sql`source_document_id = ${documentId}`)} union all ${side(sql`target_document_id = ${documentId}`)}`;
  const rows = await db.query<ConnectionRecord>(sql`
    select ${columns} from (select * from (${found}) f order by strength desc, id limit ${limit + 1}) k
    order by k.strength desc, k.id`);
  const items = rows.slice(0, limit).map(toConnection);
  const last = items.at(-1);
  return { items, nextCursor: last && rows.length > limit ? encodeCursor([last.strength, last.id]) : null };
}

/** Throws NOT_FOUND. */
export async function changeConnection(db: Database, id: string, change: ConnectionChange): Promise<Connection> {
  const { user_validated: validated, user_starred: starred } = change;
  const [changed] = await db.query(sql`
    update connections set
      user_validated = ${validated === undefined ? sql`user_validated` : sql`${validated}`},
      user_starred = ${starred === undefined ? sql`user_starred` : sql`${starred}`}
    where id = ${id} returning id`);
  const [row] = changed
    ? await db.query<ConnectionRecord>(sql`select ${columns} from connections k where k.id = ${id}`)
    : [];
  if (!row) throw new DocmillError("NOT_FOUND", `There is no connection ${id}.`);
  return toConnection(row);
}

function toConnection({ userValidated, userStarred, createdAt, ...row }: ConnectionRecord): Connection {
  return { ...row, user_validated: userValidated, user_starred: userStarred, createdAt: createdAt.toISOString() };
}

function isPosition(parts: readonly unknown[]): parts is [number, string] {
  const [strength, id] = parts;
  const isStrength = typeof strength === "number" && strength >= 0 && strength <= 1;
  return parts.length === 2 && isStrength && isUuid(id);
}
