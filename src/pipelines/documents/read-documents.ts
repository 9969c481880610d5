/** Documents as `/api/documents` gives them: lists, one in full, and its history. */
import { z } from "zod";
import type { DocumentDetail, DocumentList, DocumentQuery, DocumentSummary } from "../../contract/documents.ts";
import { allOf, type Database, decodeCursor, encodeCursor, isUuid, type Sql, sql } from "../../jobs/index.ts";
import { type DocumentRecord, documentColumns, jobStatesOf, toDocumentSummary } from "./queries/document-columns.ts";
import { documentNotFound } from "./queries/find-document-job.ts";

const fromDocuments = sql`from documents d left join jobs j on j.id = d.job_id`;

/** A page of documents. Those that come in meanwhile do not move the pages that follow. */
export async function readDocumentList(db: Database, query: DocumentQuery): Promise<DocumentList> {
  const { limit, cursor, sort } = query;
  const conditions = filterConditions(query);
  if (cursor !== undefined) conditions.push(afterCursor(sort, cursor));
  // The database's own idea of small letters, which is not this process's.
  const rows = await db.query<DocumentRecord & { sortName: string }>(sql`
    select ${documentColumns}, lower(d.filename) as sort_name ${fromDocuments}
    where ${allOf(conditions)} order by ${orders[sort]} limit ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ sortName: _, ...row }) => toDocumentSummary(row)),
    nextCursor: last && rows.length > limit ? encodeCursor(positionOf(sort, last)) : null,
  };
}

/** In the order of the ids given. */
export async function readDocumentsById(db: Database, ids: readonly string[]): Promise<DocumentSummary[]> {
  const rows = await db.query<DocumentRecord>(
    sql`select ${documentColumns} ${fromDocuments} where d.id = any (${ids}::uuid[])`,
  );
  const byId = new Map(rows.map((row) => [row.id, toDocumentSummary(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface DetailRecord extends DocumentRecord {
  author: string | null;
  language: string | null;
  options: DocumentDetail["options"];
  wordCount: number | null;
  carried: DocumentDetail["carriedConnections"];
  embeddedChunks: number;
  connectionCount: number;
}

/** Throws NOT_FOUND. */
export async function readDocument(
  db: Database,
  id: string,
  embeddingModel: string,
): Promise<Omit<DocumentDetail, "job">> {
  const [row] = await db.query<DetailRecord>(sql`
    select ${documentColumns}, d.author, d.language, d.options, d.word_count, d.carried,
      (select count(*) from chunk_vectors v join embedding_models m on m.id = v.model_id
       where v.document_id = d.id and m.name = ${embeddingModel}) as embedded_chunks,
      (select count(*) from connections k where d.id in (k.source_document_id, k.target_document_id)) as connection_count
    ${fromDocuments} where d.id = ${id}`);
  if (!row) throw documentNotFound(id);
  const { author, language, options, wordCount, carried, embeddedChunks, connectionCount, ...summary } = row;
  return {
    ...toDocumentSummary(summary),
    author,
    language,
    options,
    generation: row.generation,
    wordCount,
    embeddedChunks,
    embeddingModel,
    connectionCount,
    carriedConnections: carried,
  };
}

const orders: Record<DocumentQuery["sort"], Sql> = {
  newest: sql`d.created_at desc, d.id desc`,
  oldest: sql`d.created_at, d.id`,
  name: sql`lower(d.filename), d.id`,
};

function filterConditions({ status, format, q }: DocumentQuery): Sql[] {
  const conditions: Sql[] = [];
  if (status !== undefined) {
    // A job that is no longer kept ended well if there is something to show.
    const gone = status === "Ready" ? sql`d.generation > 0` : status === "Failed" ? sql`d.generation = 0` : sql`false`;
    conditions.push(sql`(j.status = any (${jobStatesOf(status)}::text[]) or (j.id is null and ${gone}))`);
  }
  if (format !== undefined) conditions.push(sql`d.format = ${format}`);
  if (q !== undefined) {
    const part = sql`lower(${`%${q.replace(/[\\%_]/g, "\\$&")}%`})`;
    conditions.push(sql`(lower(d.filename) like ${part} or lower(d.title) like ${part})`);
  }
  return conditions;
}

function positionOf(
  sort: DocumentQuery["sort"],
  { id, createdAt, sortName }: DocumentRecord & { sortName: string },
): [string, string] {
  return [sort === "name" ? sortName : createdAt.toISOString(), id];
}

function afterCursor(sort: DocumentQuery["sort"], cursor: string): Sql {
  const [value, id] = decodeCursor(cursor, isPosition(sort));
  switch (sort) {
    case "newest":
      return sql`(d.created_at, d.id) < (${value}::timestamptz, ${id}::uuid)`;
    case "oldest":
      return sql`(d.created_at, d.id) > (${value}::timestamptz, ${id}::uuid)`;
    case "name":
      return sql`(lower(d.filename), d.id) > (${value}, ${id}::uuid)`;
  }
}

function isPosition(sort: DocumentQuery["sort"]) {
  return (parts: readonly unknown[]): parts is [string, string] => {
    const [value, id] = parts;
    if (parts.length !== 2 || typeof value !== "string" || !isUuid(id)) return false;
    return sort === "name" ? !value.includes("\0") : z.iso.datetime({ precision: 3 }).safeParse(value).success;
  };
}
