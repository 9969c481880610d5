/**
 * Guidelines as files, for whoever has only the storage: one for each page, one for each subtopic and an index. They hold
 * nothing that is not in the database, and no times: written again, they are the same byte for byte.
 */
import { type Database, sql } from "../../jobs/index.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { putText } from "../../storage/blob-text.ts";
import { guidelinesPrefix, indexKey, pageGuidelineKey, shardKey } from "./blob-keys.ts";
import type { PlacedPage } from "./place-page.ts";
import type { PageRow } from "./queries/list-pages.ts";
import { listSubtopics, type SubtopicRow, toSubtopic, toTopics } from "./queries/list-subtopics.ts";

/** Before the commit that makes them true; after a crash in between they are written again. */
export async function writePageArtifacts(
  blobs: BlobStore,
  page: PageRow,
  { decision, summary, parts, contents, provenance, subtopic }: PlacedPage,
  signal: AbortSignal,
): Promise<void> {
  const { bookId, fileNum, pageNum } = page;
  if (subtopic) await putJson(blobs, shardKey(bookId, subtopic.id), toSubtopic({ ...subtopic, vector: null }), signal);
  const place = subtopic && {
    topic_key: subtopic.topicKey,
    subtopic_key: subtopic.subtopicKey,
    subtopic_id: subtopic.id,
  };
  const written = {
    page_num: pageNum,
    decision: decision.kind,
    reason: decision.reason,
    summary,
    ...place,
    parts,
    contents,
    provenance,
  };
  await putJson(blobs, pageGuidelineKey(bookId, fileNum), written, signal);
}

/** Subtopics and index as the database has them now; files of subtopics that are gone go too. */
export async function writeGuidelineFiles(
  { db, blobs }: { db: Database; blobs: BlobStore },
  bookId: string,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await listSubtopics(db, bookId);
  for (const row of rows) await putJson(blobs, shardKey(bookId, row.id), toSubtopic(row), signal);
  await putJson(blobs, indexKey(bookId), toIndex(bookId, rows), signal);
  const known = new Set(rows.map(({ id }) => shardKey(bookId, id)));
  const gone: string[] = [];
  for await (const { key } of blobs.list(`${guidelinesPrefix(bookId)}subtopics/`)) if (!known.has(key)) gone.push(key);
  await blobs.delete(gone);
}

/** After a change of pages, where the book has guidelines: subtopics, index, and no files of pages that have none. */
export async function refreshGuidelineFiles(
  services: { db: Database; blobs: BlobStore },
  bookId: string,
): Promise<void> {
  for await (const _ of services.blobs.list(guidelinesPrefix(bookId))) {
    await writeGuidelineFiles(services, bookId);
    await removeLostPageFiles(services, bookId);
    return;
  }
}

/** Of pages that were extracted once and are not any more. For whoever has the book: a page's file comes before its row. */
export async function removeLostPageFiles(
  { db, blobs }: { db: Database; blobs: BlobStore },
  bookId: string,
): Promise<void> {
  const rows = await db.query<{ fileNum: number }>(sql`
    select p.file_num from page_guidelines g join book_pages p on p.id = g.page_id where g.book_id = ${bookId}`);
  const known = new Set(rows.map(({ fileNum }) => pageGuidelineKey(bookId, fileNum)));
  const gone: string[] = [];
  for await (const { key } of blobs.list(`${guidelinesPrefix(bookId)}pages/`)) if (!known.has(key)) gone.push(key);
  await blobs.delete(gone);
}

function toIndex(bookId: string, rows: readonly SubtopicRow[]) {
  const topics = toTopics(rows).map(({ subtopics, ...topic }) => ({
    ...topic,
    subtopics: subtopics.map(({ id, subtopic_key, subtopic_title, pages, status, version }) => ({
      id,
      subtopic_key,
      subtopic_title,
      pages,
      status,
      version,
    })),
  }));
  return { book_id: bookId, topics };
}

function putJson(blobs: BlobStore, key: string, value: unknown, signal?: AbortSignal): Promise<void> {
  return putText(blobs, key, `${JSON.stringify(value, null, 2)}\n`, "application/json", signal);
}
