/**
 * Removes files that belong to no document: what a process left that was killed between storing a file and committing its
 * document, markdown of earlier readings, and what came after a document was deleted. Young files are left alone: someone
 * may be about to commit them.
 */
import { isUuid, sql } from "../../jobs/index.ts";
import { documentsPrefix, marksKey } from "./blob-keys.ts";
import type { DocumentServices } from "./document-services.ts";

const oldEnoughMs = 24 * 3_600_000;
const portion = 500;

/** Answers how many files were removed. */
export async function sweepFiles(
  { db, blobs }: Pick<DocumentServices, "db" | "blobs">,
  signal: AbortSignal,
  now = Date.now(),
): Promise<number> {
  let removed = 0;
  let waiting: string[] = [];
  const removeOrphans = async () => {
    const orphans = await findOrphans(waiting);
    waiting = [];
    await blobs.delete(orphans);
    removed += orphans.length;
  };
  for await (const { key, modifiedAt } of blobs.list(documentsPrefix)) {
    if (signal.aborted) return removed;
    if (now - modifiedAt.getTime() < oldEnoughMs) continue;
    waiting.push(key);
    if (waiting.length === portion) await removeOrphans();
  }
  await removeOrphans();
  return removed;

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
