/**
 * Puts what a run has read in the place of what the last one had: passages are upserted by their derived ids, those that
 * vanished go, and what people said about connections is moved to where the same text stands now.
 */
import type { CarriedConnections } from "../../../contract/documents.ts";
import { TerminalError } from "../../../errors.ts";
import { rowsOf, sql, type Transaction, toJson } from "../../../jobs/index.ts";
import type { MarkdownHeading } from "../../../layout/markdown-document.ts";
import type { Extracted } from "../stages/extract-pages.ts";
import type { SavedMarkdown } from "../stages/save-markdown.ts";
import type { HashedChunk } from "../text-threads.ts";
import { carryConnections } from "./carry-connections.ts";

export interface NewGeneration {
  documentId: string;
  generation: number;
  facts: Extracted;
  saved: SavedMarkdown;
  headings: readonly MarkdownHeading[];
  chunks: readonly (HashedChunk & { id: string })[];
}

export async function swapGeneration(tx: Transaction, next: NewGeneration): Promise<void> {
  const { documentId, generation, chunks } = next;
  const [document] = await tx.query<{ generation: number }>(
    sql`select generation from documents where id = ${documentId} for no key update`,
  );
  if (!document) throw new TerminalError("DOCUMENT_DELETED", "The document was deleted meanwhile.");
  refuseOvertaken(document.generation, generation);
  await upsertChunks(tx, next);
  const carried = document.generation === 0 ? null : await carryConnections(tx, documentId, chunks);
  await tx.query(sql`
    delete from chunks where document_id = ${documentId} and not id = any (${chunks.map(({ id }) => id)}::uuid[])`);
  await dropEarlierGenerations(tx, documentId, generation);
  await dropRepeatedFields(tx, documentId, generation);
  await describeDocument(tx, next, carried);
}

/** A run that someone retries after a later one has come to its end would put half-read pages in the place of whole ones. */
export function refuseOvertaken(current: number, generation: number): void {
  if (current < generation) return;
  throw new TerminalError("OVERTAKEN", "A later run has read this document meanwhile; its results stay.");
}

/** Private-use characters: what icon fonts draw beside words, which nobody can type. */
const icons = "[\uE000-\uF8FF]";

/** Headings weigh more than text: who looks for "installation" wants that chapter first. */
async function upsertChunks(tx: Transaction, { documentId, chunks }: NewGeneration): Promise<void> {
  const rows = chunks.map((chunk) => ({
    id: chunk.id,
    index: chunk.index,
    content: chunk.content,
    content_hash: chunk.contentHash,
    heading_path: chunk.headingPath,
    start_offset: chunk.start,
    end_offset: chunk.end,
    page_from: chunk.pageFrom,
    page_to: chunk.pageTo,
    tokens: chunk.tokens,
  }));
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, page_from,
      page_to, tokens, search)
    select c.id, ${documentId}::uuid, c.index, c.content, c.content_hash, h.path, c.start_offset, c.end_offset, c.page_from,
      c.page_to, c.tokens,
      setweight(to_tsvector('english', array_to_string(h.path, ' ')), 'A') ||
      to_tsvector('english', regexp_replace(c.content, ${icons}, ' ', 'g'))
    from (${rowsOf(
      {
        id: "uuid",
        index: "integer",
        content: "text",
        content_hash: "text",
        heading_path: "jsonb",
        start_offset: "integer",
        end_offset: "integer",
        page_from: "integer",
        page_to: "integer",
        tokens: "integer",
      },
      rows,
    )}) c
    cross join lateral (select array(select jsonb_array_elements_text(c.heading_path)) as path) h
    on conflict (id) do update set heading_path = excluded.heading_path, start_offset = excluded.start_offset,
      end_offset = excluded.end_offset, page_from = excluded.page_from, page_to = excluded.page_to,
      search = excluded.search`);
}

/** Not later ones: what a run that stopped half-way has read is wanted when it is retried. */
async function dropEarlierGenerations(tx: Transaction, documentId: string, generation: number): Promise<void> {
  await tx.query(sql`delete from document_pages where document_id = ${documentId} and generation < ${generation}`);
  await tx.query(sql`delete from document_fields where document_id = ${documentId} and generation < ${generation}`);
  await tx.query(sql`delete from document_tables where document_id = ${documentId} and generation < ${generation}`);
}

/** What a running header repeats is kept once, and each well-known notion is told once, by the page surest of it. */
async function dropRepeatedFields(tx: Transaction, documentId: string, generation: number): Promise<void> {
  await tx.query(sql`
    delete from document_fields f using (
      select page, position, row_number() over (
        partition by source, key, case when source <> 'pattern' then value end order by confidence desc, page, position) as place
      from document_fields where document_id = ${documentId} and generation = ${generation}) told
    where f.document_id = ${documentId} and f.generation = ${generation} and f.page = told.page
      and f.position = told.position and told.place > 1`);
}

async function describeDocument(
  tx: Transaction,
  { documentId, generation, facts, saved, headings, chunks }: NewGeneration,
  carried: CarriedConnections | null,
): Promise<void> {
  const outline = headings.map(({ level, text, page, offset }) => ({ level, title: text, page: page ?? null, offset }));
  await tx.query(sql`
    update documents set generation = ${generation}, title = coalesce(title, ${facts.title ?? null}),
      author = ${facts.author ?? null}, language = ${facts.language ?? null},
      page_count = ${facts.paged ? facts.parts : null}, markdown_key = ${saved.key}, markdown_sha256 = ${saved.sha256},
      word_count = ${saved.wordCount}, outline = ${toJson(outline)}::jsonb, chunk_count = ${chunks.length},
      carried = ${toJson(carried)}::jsonb, processed_at = now(),
      field_count = (select count(*) from document_fields where document_id = ${documentId} and generation = ${generation}),
      table_count = (select count(*) from document_tables where document_id = ${documentId} and generation = ${generation})
    where id = ${documentId}`);
}
