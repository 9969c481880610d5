/** What extraction made of a page: the page's own row, its subtopic's, and those that have had no new page for a while. */
import { type Sql, sql, type Transaction, toJson } from "../../../jobs/index.ts";
import { joinVectors } from "../../../vectors/vector-bytes.ts";
import type { PlacedPage, PlacedSubtopic } from "../place-page.ts";
import type { PageRow } from "./list-pages.ts";

/** So many pages without a new one, and a subtopic is stable. */
const pagesUntilStable = 5;

export async function savePageGuideline(tx: Transaction, page: PageRow, placed: PlacedPage): Promise<void> {
  const { subtopic, decision, summary, parts, contents, provenance } = placed;
  if (subtopic) await saveSubtopic(tx, page.bookId, subtopic);
  await tx.query(sql`
    insert into page_guidelines (page_id, book_id, subtopic_id, decision, reason, summary, parts, contents, provenance)
    values (${page.id}, ${page.bookId}, ${subtopic?.id ?? null}, ${decision.kind}, ${decision.reason}, ${summary},
      ${toJson(parts)}::jsonb, ${toJson(contents)}::jsonb, ${provenance})
    on conflict (page_id) do update set subtopic_id = excluded.subtopic_id, decision = excluded.decision, reason = excluded.reason,
      summary = excluded.summary, parts = excluded.parts, contents = excluded.contents, provenance = excluded.provenance`);
  await tx.query(sql`
    update subtopics s set status = 'stable', updated_at = now()
    where s.book_id = ${page.bookId} and s.status = 'open' and (
      select max(p.page_num) from page_guidelines g join book_pages p on p.id = g.page_id where g.subtopic_id = s.id)
      <= ${page.pageNum - pagesUntilStable}`);
}

async function saveSubtopic(tx: Transaction, bookId: string, subtopic: PlacedSubtopic): Promise<void> {
  await tx.query(sql`
    insert into subtopics (id, book_id, topic_key, topic_title, subtopic_key, subtopic_title, summary, guidelines, status, version,
      confidence, provenance, key_terms, vector)
    values (${subtopic.id}, ${bookId}, ${subtopic.topicKey}, ${subtopic.topicTitle}, ${subtopic.subtopicKey},
      ${subtopic.subtopicTitle}, ${subtopic.summary}, ${subtopic.guidelines}, ${subtopic.status}, ${subtopic.version},
      ${subtopic.confidence}, ${subtopic.provenance}, ${subtopic.keyTerms}::text[], ${toVector(subtopic.vector)})
    on conflict (id) do update set summary = excluded.summary, guidelines = excluded.guidelines, version = excluded.version,
      confidence = excluded.confidence, provenance = excluded.provenance, key_terms = excluded.key_terms, vector = excluded.vector,
      status = excluded.status, updated_at = now()`);
}

export function toVector(vector: Float32Array | null): Sql {
  if (!vector) return sql`null::bytea`;
  return sql`decode(${joinVectors([vector]).toString("base64")}, 'base64')`;
}
