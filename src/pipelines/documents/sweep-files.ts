/**
 * Removes files that belong to no document: uploads that never became one, markdown of earlier readings, and what came
 * after a document was deleted.
 */
import { type Database, isUuid, sql } from "../../jobs/index.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { sweepOrphans } from "../../storage/sweep-orphans.ts";
import { documentsPrefix, marksKey } from "./blob-keys.ts";

/** Answers how many files were removed. */
export function sweepFiles(
  { db, blobs }: { db: Database; blobs: Pick<BlobStore, "list" | "delete"> },
  signal: AbortSignal,
  now?: number,
): Promise<number> {
  return sweepOrphans({ blobs, prefix: documentsPrefix, findOrphans, signal, now });

  async function findOrphans(keys: readonly string[]): Promise<string[]> {
    const idOf = (key: string) => key.slice(documentsPrefix.length).split("/", 1)[0] as string;
    const ids = [...new Set(keys.map(idOf).filter(isUuid))];
    const rows = await db.query<{
      id: string;
      blobKey: string | null;
      markdownKey: string | null;
      active: boolean;
    }>(sql`
      select d.id, d.blob_key, d.markdown_key, coalesce(j.status in ('pending', 'running'), false) as active
      from documents d left join jobs j on j.id = d.job_id where d.id = any (${ids}::uuid[])`);
    // Whoever works on a document now knows best which of its files are wanted.
    const active = new Set(rows.filter((row) => row.active).map(({ id }) => id));
    const known = new Set(
      rows.flatMap(({ blobKey, markdownKey }) => [blobKey, markdownKey, markdownKey && marksKey(markdownKey)]),
    );
    return keys.filter((key) => !known.has(key) && !active.has(idOf(key)));
  }
}
