/** The stored pages or sections of one run, in order, as text: they are parsed where they are used. */
import { type Database, sql } from "../../../jobs/index.ts";
import type { StoredParts } from "../text-threads.ts";

/** Read in portions, so that no single answer holds a whole library. */
const portion = 200;

export async function readParts(
  db: Pick<Database, "query">,
  documentId: string,
  generation: number,
  paged: boolean,
): Promise<StoredParts> {
  const texts: string[] = [];
  for (let after = 0; ; ) {
    const rows = await db.query<{ page: number; text: string }>(sql`
      select page, ${paged ? sql`blocks::text` : sql`markdown`} as text from document_pages
      where document_id = ${documentId} and generation = ${generation} and page > ${after}
      order by page limit ${portion}`);
    texts.push(...rows.map(({ text }) => text));
    const last = rows.at(-1);
    if (!last || rows.length < portion) break;
    after = last.page;
  }
  return paged ? { kind: "pages", pages: texts } : { kind: "sections", sections: texts };
}
