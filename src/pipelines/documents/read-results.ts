/** What was made of a document, page by page: its passages, fields, tables, outline and words. */
import type {
  DocumentChunkList,
  DocumentFieldList,
  DocumentOutline,
  DocumentTableList,
  PageQuery,
  PageWords,
} from "../../contract/documents.ts";
import { DocmillError } from "../../errors.ts";
import { type Database, decodeCursor, encodeCursor, isInt4, type Sql, sql } from "../../jobs/index.ts";
import { type PackedWord, unpackWord } from "../../layout/packed-page.ts";
import { documentNotFound } from "./queries/find-document-job.ts";

/** Throws NOT_FOUND. */
async function requireDocument(db: Database, id: string): Promise<void> {
  const [document] = await db.query(sql`select from documents where id = ${id}`);
  if (!document) throw documentNotFound(id);
}

/** Asked for in the statement that reads the rows: between two statements the document may be swapped for a new one. */
function currentGeneration(id: string): Sql {
  return sql`(select generation from documents where id = ${id})`;
}

export async function readChunks(
  db: Database,
  id: string,
  { limit, cursor }: PageQuery,
  embeddingModel: string,
): Promise<DocumentChunkList> {
  const [after] = cursor === undefined ? [-1] : decodeCursor(cursor, isOneNumber);
  await requireDocument(db, id);
  const rows = await db.query<DocumentChunkList["items"][number]>(sql`
    select c.id, c.index, c.content, c.heading_path, c.start_offset as start, c.end_offset as end, c.page_from as page,
      c.page_to, c.tokens, exists (
        select from chunk_vectors v join embedding_models m on m.id = v.model_id
        where v.chunk_id = c.id and m.name = ${embeddingModel}) as embedded
    from chunks c where c.document_id = ${id} and c.index > ${after} order by c.index limit ${limit + 1}`);
  return pageOf(rows, limit, ({ index }) => [index]);
}

export async function readFields(db: Database, id: string, query: PageQuery): Promise<DocumentFieldList> {
  const rows = await readOfPages<DocumentFieldList["items"][number] & Position>(
    db,
    id,
    query,
    sql`document_fields`,
    sql`key, value, kind, normalized, confidence, box, source`,
  );
  return pageOf(rows, query.limit, positionOf, withoutPosition);
}

export async function readTables(db: Database, id: string, query: PageQuery): Promise<DocumentTableList> {
  const rows = await readOfPages<DocumentTableList["items"][number] & Position>(
    db,
    id,
    query,
    sql`document_tables`,
    sql`rows, header_rows, caption, box`,
  );
  return pageOf(rows, query.limit, positionOf, withoutPosition);
}

export async function readOutline(db: Database, id: string): Promise<DocumentOutline> {
  const [document] = await db.query<{ outline: DocumentOutline["items"] }>(
    sql`select outline from documents where id = ${id}`,
  );
  if (!document) throw documentNotFound(id);
  return { items: document.outline, nextCursor: null };
}

/** Throws NOT_FOUND, also where the document has no such page or no pages at all. */
export async function readPageWords(db: Database, id: string, page: number): Promise<PageWords> {
  await requireDocument(db, id);
  const [row] = await db.query<Omit<PageWords, "words"> & { words: PackedWord[] | null }>(sql`
    select page, width, height, source, words from document_pages
    where document_id = ${id} and generation = ${currentGeneration(id)} and page = ${page} and words is not null`);
  if (!row) throw new DocmillError("NOT_FOUND", `The document has no page ${page} with words.`);
  return { ...row, words: (row.words ?? []).map(unpackWord) };
}

/** Where the markdown is. Throws NOT_FOUND, or NOT_READY while there is none yet. */
export async function findMarkdown(db: Database, id: string): Promise<{ key: string; sha256: string }> {
  const [document] = await db.query<{ markdownKey: string | null; markdownSha256: string }>(
    sql`select markdown_key, markdown_sha256 from documents where id = ${id}`,
  );
  if (!document) throw documentNotFound(id);
  if (document.markdownKey === null) {
    throw new DocmillError("NOT_READY", "There is no markdown yet. Watch the document's stream until it is Ready.");
  }
  return { key: document.markdownKey, sha256: document.markdownSha256 };
}

interface Position {
  page: number;
  position: number;
}

async function readOfPages<Row extends object>(
  db: Database,
  id: string,
  { limit, cursor }: PageQuery,
  table: Sql,
  columns: Sql,
): Promise<Row[]> {
  const [page, position] = cursor === undefined ? [0, -1] : decodeCursor(cursor, areTwoNumbers);
  await requireDocument(db, id);
  return db.query<Row>(sql`
    select page, position, ${columns} from ${table}
    where document_id = ${id} and generation = ${currentGeneration(id)} and (page, position) > (${page}, ${position})
    order by page, position limit ${limit + 1}`);
}

function positionOf({ page, position }: Position): number[] {
  return [page, position];
}

function withoutPosition<Row extends Position>({ position: _, ...row }: Row): Omit<Row, "position"> {
  return row;
}

/** One more than asked for was read: it tells whether there is a next page. */
function pageOf<Row, Item = Row>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => number[],
  toItem: (row: Row) => Item = (row) => row as unknown as Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    nextCursor: last !== undefined && rows.length > limit ? encodeCursor(position(last)) : null,
  };
}

function isOneNumber(parts: readonly unknown[]): parts is [number] {
  return parts.length === 1 && isInt4(parts[0]);
}

function areTwoNumbers(parts: readonly unknown[]): parts is [number, number] {
  return parts.length === 2 && parts.every(isInt4);
}
