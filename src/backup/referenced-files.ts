/** The files that the rows of a snapshot name: without them a restored document, sheet or page could not be opened. */
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export async function listReferencedFiles(db: Queryable): Promise<Set<string>> {
  // Beside a markdown there are its marks, which no row names.
  const files = await db.query<{ key: string }>(sql`
    select blob_key as key from documents where blob_key is not null
    union select markdown_key from documents where markdown_key is not null
    union select regexp_replace(markdown_key, '\\.md$', '.marks.json') from documents where markdown_key is not null
    union select blob_key from heat_sources where blob_key is not null
    union select raw_key from book_pages
    union select image_key from book_pages where image_key is not null
    union select text_key from book_pages where text_key is not null`);
  return new Set(files.map(({ key }) => key));
}
