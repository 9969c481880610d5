/**
 * What becomes of guidelines when pages leave them, because they are read anew, corrected or removed. A subtopic goes with
 * the last of its pages. One that stays is written again from what it still has; where a model or a person has written it,
 * it is marked for review. What is approved is left as it is.
 */
import { composeGuidelines, summariseSubtopic } from "../../guidelines/compose-guidelines.ts";
import { sql, type Transaction } from "../../jobs/index.ts";
import { listParts, listSubtopics } from "./queries/list-subtopics.ts";

/** The pages may be extracted again afterwards: nothing is left of what they gave. */
export async function letGoOfPages(tx: Transaction, bookId: string, pageIds: readonly string[]): Promise<void> {
  const left = await tx.query<{ subtopicId: string | null }>(sql`
    delete from page_guidelines g
    where g.page_id = any (${pageIds}::uuid[])
      and not exists (select from subtopics s where s.id = g.subtopic_id and s.status = 'approved')
    returning g.subtopic_id`);
  await rewriteSubtopics(tx, bookId, new Set(left.flatMap(({ subtopicId }) => subtopicId ?? [])));
}

/** Of a page that is about to be removed: the subtopic it belongs to, if any. */
export async function findSubtopicOf(tx: Transaction, pageId: string): Promise<string[]> {
  const rows = await tx.query<{ subtopicId: string | null }>(
    sql`select subtopic_id from page_guidelines where page_id = ${pageId}`,
  );
  return rows.flatMap(({ subtopicId }) => subtopicId ?? []);
}

/** `shrunk` have lost a page; the others are written again only for the numbers of their pages. */
export async function rewriteSubtopics(
  tx: Transaction,
  bookId: string,
  shrunk: ReadonlySet<string>,
  renumbered = false,
): Promise<void> {
  await tx.query(sql`
    delete from subtopics s where s.book_id = ${bookId}
      and not exists (select from page_guidelines g where g.subtopic_id = s.id)`);
  for (const { id, subtopicTitle, provenance, status, edited } of await listSubtopics(tx, bookId)) {
    const lost = shrunk.has(id);
    if (status === "approved" || !(lost || renumbered)) continue;
    if (provenance === "rules" && !edited) {
      const parts = await listParts(tx, id);
      const [summary, guidelines] = [summariseSubtopic(subtopicTitle, parts), composeGuidelines(subtopicTitle, parts)];
      await tx.query(sql`
        update subtopics set summary = ${summary}, guidelines = ${guidelines}, version = version + 1, updated_at = now()
        where id = ${id} and (summary <> ${summary} or guidelines <> ${guidelines})`);
    } else if (lost) {
      await tx.query(sql`update subtopics set status = 'needs_review', updated_at = now() where id = ${id}`);
    }
  }
}
