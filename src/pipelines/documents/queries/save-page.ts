/** Writes what was read from a page or section, with its fields and tables, in one statement. */
import { rowsOf, sql, type Transaction } from "../../../jobs/index.ts";
import type { PackedPage } from "../../../layout/packed-page.ts";

export interface PagePlace {
  documentId: string;
  generation: number;
  page: number;
}

export async function savePage(tx: Transaction, place: PagePlace, read: PackedPage): Promise<void> {
  const { documentId, generation, page } = place;
  const { width, height, source, words, blocks, tables, fields } = read;
  const fieldRows = fields.map(({ page: _, ...field }, position) => ({ ...field, position }));
  const tableRows = tables.map(({ rows, headerRows, caption, box }, position) => ({
    rows,
    header_rows: headerRows,
    caption,
    box,
    position,
  }));
  await tx.query(sql`
    with page as (
      insert into document_pages (document_id, generation, page, width, height, source, words, blocks)
      values (${documentId}, ${generation}, ${page}, ${width}, ${height}, ${source}, ${words}::json, ${blocks}::json)),
    fields as (
      insert into document_fields (document_id, generation, page, position, key, value, kind, normalized, confidence, box, source)
      select ${documentId}, ${generation}, ${page}, f.* from (${rowsOf(
        {
          position: "integer",
          key: "text",
          value: "text",
          kind: "text",
          normalized: "text",
          confidence: "double precision",
          box: "jsonb",
          source: "text",
        },
        fieldRows,
      )}) f
    )
    insert into document_tables (document_id, generation, page, position, rows, header_rows, caption, box)
    select ${documentId}, ${generation}, ${page}, t.* from (${rowsOf(
      { position: "integer", rows: "jsonb", header_rows: "integer", caption: "text", box: "jsonb" },
      tableRows,
    )}) t`);
}

/**
 * Takes away what an earlier attempt of the same run has saved of these pages. Mostly it is nothing; but an attempt under
 * other settings may have read them in other portions, or by another reader.
 */
export async function forgetPages(
  tx: Transaction,
  { documentId, generation }: Omit<PagePlace, "page">,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const these = sql`document_id = ${documentId} and generation = ${generation} and page between ${from} and ${to}`;
  await tx.query(sql`
    with pages as (delete from document_pages where ${these}), fields as (delete from document_fields where ${these})
    delete from document_tables where ${these}`);
}

export async function saveSection(tx: Transaction, place: PagePlace, markdown: string): Promise<void> {
  const { documentId, generation, page } = place;
  await tx.query(sql`
    insert into document_pages (document_id, generation, page, source, markdown)
    values (${documentId}, ${generation}, ${page}, 'section', ${markdown})`);
}
