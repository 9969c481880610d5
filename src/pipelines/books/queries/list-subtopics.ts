/** The subtopics of a book with the pages they cover, in the order of the book. */
import type { Guidelines, Subtopic } from "../../../contract/books.ts";
import type { PageParts } from "../../../guidelines/page-parts.ts";
import { type Database, sql } from "../../../jobs/index.ts";

export interface SubtopicRow {
  id: string;
  topicKey: string;
  topicTitle: string;
  subtopicKey: string;
  subtopicTitle: string;
  summary: string;
  guidelines: string;
  status: Subtopic["status"];
  version: number;
  confidence: number;
  provenance: Subtopic["provenance"];
  edited: boolean;
  keyTerms: string[];
  /** In base64. */
  vector: string | null;
  pages: number[];
}

export function listSubtopics(db: Pick<Database, "query">, bookId: string): Promise<SubtopicRow[]> {
  return db.query<SubtopicRow>(sql`
    select s.id, s.topic_key, s.topic_title, s.subtopic_key, s.subtopic_title, s.summary, s.guidelines, s.status, s.version, s.confidence,
      s.provenance, s.edited, s.key_terms, encode(s.vector, 'base64') as vector, coalesce(g.pages, '{}') as pages
    from subtopics s
    left join lateral (
      select array_agg(p.page_num order by p.page_num) as pages
      from page_guidelines g join book_pages p on p.id = g.page_id where g.subtopic_id = s.id) g on true
    where s.book_id = ${bookId}
    order by g.pages[1] nulls last, s.created_at, s.id`);
}

/** What its pages contribute to a subtopic, in their order and under the numbers they have now. */
export async function listParts(db: Pick<Database, "query">, subtopicId: string): Promise<PageParts[]> {
  const rows = await db.query<{ parts: PageParts; pageNum: number }>(sql`
    select g.parts, p.page_num from page_guidelines g join book_pages p on p.id = g.page_id
    where g.subtopic_id = ${subtopicId} order by p.page_num`);
  return rows.map(({ parts, pageNum }) => ({ ...parts, page: pageNum }));
}

export function toSubtopic(row: SubtopicRow): Subtopic {
  return {
    id: row.id,
    topic_key: row.topicKey,
    topic_title: row.topicTitle,
    subtopic_key: row.subtopicKey,
    subtopic_title: row.subtopicTitle,
    summary: row.summary,
    guidelines: row.guidelines,
    source_page_start: row.pages[0] ?? null,
    source_page_end: row.pages.at(-1) ?? null,
    pages: row.pages,
    status: row.status,
    version: row.version,
    confidence: Math.round(row.confidence * 100) / 100,
    provenance: row.provenance,
  };
}

export function toTopics(rows: readonly SubtopicRow[]): Guidelines["topics"] {
  const topics = new Map<string, Guidelines["topics"][number]>();
  for (const row of rows) {
    const topic = topics.get(row.topicKey) ?? { topic_key: row.topicKey, topic_title: row.topicTitle, subtopics: [] };
    topics.set(row.topicKey, topic);
    topic.subtopics.push(toSubtopic(row));
  }
  return [...topics.values()];
}
