/** What people do to guidelines: correct them, approve them, send them back. */
import type { SubtopicEdit } from "../../contract/books.ts";
import { makeKey } from "../../guidelines/make-key.ts";
import { sql } from "../../jobs/index.ts";
import { writeGuidelineFiles } from "./artifacts.ts";
import type { BookServices } from "./book-services.ts";
import { holdBook } from "./hold-book.ts";
import { listSubtopics } from "./queries/list-subtopics.ts";
import { readSubtopic } from "./read-books.ts";

type GuidelineServices = Pick<BookServices, "db" | "blobs">;

/** A new title gets a new key; the version counts up. Throws NOT_FOUND and BOOK_BUSY. */
export async function editSubtopic(
  services: GuidelineServices,
  bookId: string,
  subtopic: string,
  edit: SubtopicEdit,
): Promise<void> {
  const { id } = await readSubtopic(services.db, bookId, subtopic);
  if (Object.keys(edit).length === 0) return;
  await services.db.transaction(async (tx) => {
    await holdBook(tx, bookId);
    const rows = await listSubtopics(tx, bookId);
    const row = rows.find((one) => one.id === id);
    if (!row) return;
    const others = rows.filter((one) => one.id !== id);
    const { topic_title: topicTitle = row.topicTitle, subtopic_title: subtopicTitle = row.subtopicTitle } = edit;
    const same = others.find((one) => one.topicTitle.toLowerCase() === topicTitle.toLowerCase());
    const topicKey =
      topicTitle === row.topicTitle
        ? row.topicKey
        : (same?.topicKey ?? makeKey(topicTitle, new Set(others.map((one) => one.topicKey))));
    const subtopicKey =
      subtopicTitle === row.subtopicTitle
        ? row.subtopicKey
        : makeKey(subtopicTitle, new Set(others.map((one) => one.subtopicKey)));
    await tx.query(sql`
      update subtopics set topic_key = ${topicKey}, topic_title = ${topicTitle}, subtopic_key = ${subtopicKey},
        subtopic_title = ${subtopicTitle}, summary = ${edit.summary ?? row.summary}, guidelines = ${edit.guidelines ?? row.guidelines},
        version = version + 1, edited = true, updated_at = now()
      where id = ${id}`);
  });
  await writeGuidelineFiles(services, bookId);
}

/** Approved ones are left as they are by everything but a person. */
export async function judgeSubtopic(
  services: GuidelineServices,
  bookId: string,
  subtopic: string,
  status: "approved" | "needs_review",
): Promise<void> {
  const { id } = await readSubtopic(services.db, bookId, subtopic);
  await services.db.transaction(async (tx) => {
    await holdBook(tx, bookId);
    await tx.query(sql`update subtopics set status = ${status}, updated_at = now() where id = ${id}`);
  });
  await writeGuidelineFiles(services, bookId);
}
