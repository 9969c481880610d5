/** Removes files that belong to no page: uploads that never became one, and what came after a page or book was deleted. */
import { type Database, isUuid, sql } from "../../jobs/index.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { sweepOrphans } from "../../storage/sweep-orphans.ts";
import { booksPrefix, imageKey, pageGuidelineKey, textKey } from "./blob-keys.ts";

/** Files that are named by a page's file number. */
const ofPage = /\/raw\/[^/]+$|\/\d+\.(png|txt)$|\/guidelines\/pages\/\d+\.json$/;

/** Answers how many files were removed. */
export function sweepBooks(
  { db, blobs }: { db: Database; blobs: Pick<BlobStore, "list" | "delete"> },
  signal: AbortSignal,
  now?: number,
): Promise<number> {
  return sweepOrphans({ blobs, prefix: booksPrefix, findOrphans, signal, now });

  async function findOrphans(keys: readonly string[]): Promise<string[]> {
    const idOf = (key: string) => key.slice(booksPrefix.length).split("/", 1)[0] as string;
    const ids = [...new Set(keys.map(idOf).filter(isUuid))];
    const books = await db.query<{ id: string }>(sql`select id from books where id = any (${ids}::uuid[])`);
    const pages = await db.query<{ bookId: string; fileNum: number; rawKey: string }>(
      sql`select book_id, file_num, raw_key from book_pages where book_id = any (${ids}::uuid[])`,
    );
    const known = new Set(books.map(({ id }) => id));
    const used = new Set(
      pages.flatMap(({ bookId, fileNum, rawKey }) => [
        rawKey,
        imageKey(bookId, fileNum),
        textKey(bookId, fileNum),
        pageGuidelineKey(bookId, fileNum),
      ]),
    );
    return keys.filter((key) => !known.has(idOf(key)) || (ofPage.test(key) && !used.has(key)));
  }
}
