/** Writes what was read from a page or section, with its fields and tables, in one statement. */
import { rowsOf, sql, type Transaction, toJson } from "../../../jobs/index.ts";
import type { Block, Field, PageBlocks } from "../../../layout/blocks.ts";
import type { PageText, Word } from "../../../layout/page.ts";

export interface PagePlace {
  documentId: string;
  generation: number;
  page: number;
}

export interface ReadPageRows {
  text: PageText;
  blocks: readonly Block[];
  fields: readonly Field[];
}

export async function savePage(
  tx: Transaction,
  place: PagePlace,
  { text, blocks, fields }: ReadPageRows,
): Promise<void> {
  const { documentId, generation, page } = place;
  const { width, height, source, words } = text;
  const stored: PageBlocks = { page, width, height, source, blocks: [...blocks] };
  const fieldRows = fields.map(({ page: _, ...field }, position) => ({ ...field, position }));
  const tableRows = blocks
    .filter((block) => block.kind === "table")
    .map(({ rows, headerRows, caption, box }, position) => ({ rows, header_rows: headerRows, caption, box, position }));
  await tx.query(sql`
    with page as (
      insert into document_pages (document_id, generation, page, width, height, source, words, blocks)
      values (${documentId}, ${generation}, ${page}, ${width}, ${height}, ${source}, ${toJson(packWords(words))}::json,
        ${toJson(stored)}::json)),
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

/** A word as it is stored: text, box, size, style bits, confidence. Names would be two thirds of the bytes. */
export type PackedWord = [
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  ...rest: (number | null)[],
];

const styles = ["bold", "italic", "mono"] as const;

function packWords(words: readonly Word[]): PackedWord[] {
  return words.map((word) => {
    const { x, y, width, height } = word.box;
    const style = styles.reduce((bits, name, index) => (word[name] ? bits | (1 << index) : bits), 0);
    const rest = [word.fontSize === undefined ? null : hundredths(word.fontSize), style, word.confidence ?? null];
    return [word.text, hundredths(x), hundredths(y), hundredths(width), hundredths(height), ...rest];
  });
}

export function unpackWord([text, x, y, width, height, fontSize, style, confidence]: PackedWord): Word {
  const has = (index: number) => ((style ?? 0) & (1 << index)) !== 0;
  return {
    text,
    box: { x, y, width, height },
    ...(fontSize !== null && fontSize !== undefined && { fontSize }),
    ...(has(0) && { bold: true }),
    ...(has(1) && { italic: true }),
    ...(has(2) && { mono: true }),
    ...(confidence !== null && confidence !== undefined && { confidence }),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
