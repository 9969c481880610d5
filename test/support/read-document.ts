/** All that was made of a document, straight from the tables, for tests to compare one run's with another's. */
import type { Queryable } from "../../src/db/database.ts";
import { type Sql, sql } from "../../src/db/sql.ts";

export interface WholeDocument {
  facts: object;
  pages: object[];
  fields: object[];
  tables: object[];
  chunks: { id: string; index: number; content: string }[];
  vectors: { chunkId: string; model: string }[];
  connections: { id: string; sourceChunkId: string; targetChunkId: string; type: string; strength: number }[];
}

/** Everything but times and the number of the run. Pages, fields and tables are those of any run: there must be one. */
export async function readWholeDocument(db: Queryable, id: string): Promise<WholeDocument> {
  const rows = <Row extends object>(statement: Sql) => db.query<Row>(statement);
  const [facts] = await rows(sql`
    select title, author, language, format, content_type, size, sha256, page_count, markdown_key, markdown_sha256,
      word_count, outline, chunk_count, field_count, table_count from documents where id = ${id}`);
  if (!facts) throw new Error(`there is no document ${id}`);
  return {
    facts,
    pages: await rows(sql`
      select page, width, height, source, md5(words::text) as words, md5(blocks::text) as blocks, markdown
      from document_pages where document_id = ${id} order by page, generation`),
    fields: await rows(sql`
      select page, position, key, value, kind, normalized, confidence, box, source
      from document_fields where document_id = ${id} order by page, position, generation`),
    tables: await rows(sql`
      select page, position, rows, header_rows, caption, box
      from document_tables where document_id = ${id} order by page, position, generation`),
    chunks: await rows(sql`
      select id, index, content, content_hash, heading_path, start_offset, end_offset, page_from, page_to, tokens,
        search::text from chunks where document_id = ${id} order by index`),
    vectors: await rows(sql`
      select v.chunk_id, m.name as model, md5(v.vector) as vector from chunk_vectors v
      join embedding_models m on m.id = v.model_id where v.document_id = ${id} order by v.chunk_id, m.name`),
    connections: await rows(sql`
      select id, source_chunk_id, target_chunk_id, type, strength, details, user_validated, user_starred
      from connections where ${id} in (source_document_id, target_document_id) order by id`),
  };
}

/** Rows that name the document, in every table that could. */
export async function countTraces(db: Queryable, id: string): Promise<Record<string, number>> {
  const [counts] = await db.query<Record<string, number>>(sql`
    select (select count(*) from documents where id = ${id}) as documents,
      (select count(*) from document_pages where document_id = ${id}) as pages,
      (select count(*) from document_fields where document_id = ${id}) as fields,
      (select count(*) from document_tables where document_id = ${id}) as tables,
      (select count(*) from chunks where document_id = ${id}) as chunks,
      (select count(*) from chunk_vectors where document_id = ${id}) as vectors,
      (select count(*) from connections where ${id} in (source_document_id, target_document_id)) as connections,
      (select count(*) from jobs where input ->> 'documentId' = ${id}::text and status in ('pending', 'running')) as jobs`);
  return counts as Record<string, number>;
}
