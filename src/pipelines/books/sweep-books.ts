/** Removes files that belong to no book: uploads that never became pages, and what came after a book was deleted. */
import { isUuid, sql } from "../../jobs/index.ts";
import { sweepOrphans } from "../../storage/sweep-orphans.ts";
import { booksPrefix } from "./blob-keys.ts";
import type { BookServices } from "./book-services.ts";

/** Answers how many files were removed. */
export function sweepBooks(
  { db, blobs }: Pick<BookServices, "db" | "blobs">,
  signal: AbortSignal,
  now?: number,
): Promise<number> {
  return sweepOrphans({ blobs, prefix: booksPrefix, findOrphans, signal, now });

  async function findOrphans(keys: readonly string[]): Promise<string[]> {
    const idOf = (key: string) => key.slice(booksPrefix.length).split("/", 1)[0] as string;
    const ids = [...new Set(keys.map(idOf).filter(isUuid))];
    const books = await db.query<{ id: string }>(sql`select id from books where id = any (${ids}::uuid[])`);
    const raw = await db.query<{ rawKey: string }>(
      sql`select distinct raw_key from book_pages where book_id = any (${ids}::uuid[])`,
    );
    const known = new Set(books.map(({ id }) => id));
    const used = new Set(raw.map(({ rawKey }) => rawKey));
    return keys.filter((key) => !known.has(idOf(key)) || (key.includes("/raw/") && !used.has(key)));
  }
}
