/** The last stages: files for whoever has only the storage, and, if wanted, rows for the application that teaches. */
import { derivedId, type StageContext, sql } from "../../../jobs/index.ts";
import { removeLostPageFiles, writeGuidelineFiles } from "../artifacts.ts";
import type { BookServices } from "../book-services.ts";
import { listSubtopics } from "../queries/list-subtopics.ts";

interface PublishInput {
  bookId: string;
  autoSync: boolean;
}

export function writeFiles({ db, blobs }: Pick<BookServices, "db" | "blobs">) {
  return async ({ input, signal }: StageContext<PublishInput, object>) => {
    await writeGuidelineFiles({ db, blobs }, input.bookId, signal);
    await removeLostPageFiles({ db, blobs }, input.bookId);
    return { written: true };
  };
}

/** The table then has what the book has: what was changed is changed, what is gone is gone. */
export function syncGuidelines({ db }: Pick<BookServices, "db">) {
  return async ({ input: { bookId, autoSync }, commit }: StageContext<PublishInput, object>) => {
    if (!autoSync) return { synced: 0 };
    const rows = (await listSubtopics(db, bookId)).filter(
      // What was sent back for review is not to be taught.
      ({ pages, status }) => pages.length > 0 && status !== "needs_review",
    );
    return commit(async (tx) => {
      const synced = rows.map((row) => ({
        id: derivedId("teaching_guideline", row.id),
        topic_key: row.topicKey,
        topic_title: row.topicTitle,
        subtopic_key: row.subtopicKey,
        subtopic_title: row.subtopicTitle,
        summary: row.summary,
        guideline: row.guidelines,
        source_page_start: row.pages[0],
        source_page_end: row.pages.at(-1),
        status: row.status,
        version: row.version,
      }));
      await tx.query(sql`delete from teaching_guidelines where book_id = ${bookId}`);
      await tx.query(sql`
        insert into teaching_guidelines (id, book_id, grade, subject, board, topic_key, topic_title, subtopic_key, subtopic_title,
          summary, guideline, source_page_start, source_page_end, status, version, synced_at)
        select s.id, b.id, b.grade, b.subject, b.board, s.topic_key, s.topic_title, s.subtopic_key, s.subtopic_title, s.summary,
          s.guideline, s.source_page_start, s.source_page_end, s.status, s.version, now()
        from books b cross join json_to_recordset(${JSON.stringify(synced)}) as s (id uuid, topic_key text, topic_title text,
          subtopic_key text, subtopic_title text, summary text, guideline text, source_page_start integer,
          source_page_end integer, status text, version integer)
        where b.id = ${bookId}`);
      return { synced: synced.length };
    });
  };
}
