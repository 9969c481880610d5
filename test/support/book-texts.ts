/** Books whose pages have their text without OCR: corrected by hand, which is how people may bring it too. */
import { expect } from "vitest";
import { sql } from "../../src/db/sql.ts";
import type { BookClient } from "./book-client.ts";
import { readBookFiles } from "./book-traces.ts";
import type { DocumentPlace } from "./document-place.ts";
import { samplePages } from "./sample-pages.ts";

/** Answers the book's id. No worker must be at work meanwhile, or the pages are read first. */
export async function bringTexts(client: BookClient, texts: readonly string[], title?: string): Promise<string> {
  const bookId = await client.create(title);
  const { job_id } = await client.bring(bookId, await samplePages(texts.length));
  expect((await client.post(`/admin/books/${bookId}/jobs/${job_id}/cancel`)).status).toBe(200);
  for (const [index, text] of texts.entries()) {
    expect((await client.put(`/admin/books/${bookId}/pages/${index + 1}/text`, { text })).status).toBe(200);
  }
  return bookId;
}

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** All that was made of a book's pages, in rows and files, with ids by the order of their coming and without times. */
export async function readWholeGuidelines(place: DocumentPlace, bookId: string): Promise<object> {
  const subtopics = await place.db.query(sql`
    select s.id, topic_key, topic_title, subtopic_key, subtopic_title, s.summary, guidelines, status, version, confidence,
      s.provenance, key_terms, octet_length(vector) as vector,
      (select array_agg(p.page_num order by p.page_num) from page_guidelines g join book_pages p on p.id = g.page_id
       where g.subtopic_id = s.id) as pages
    from subtopics s where s.book_id = ${bookId} order by topic_key, subtopic_key`);
  const pages = await place.db.query(sql`
    select p.page_num, p.ocr_status, g.subtopic_id, g.decision, g.reason, g.summary, g.parts, g.contents, g.provenance
    from book_pages p left join page_guidelines g on g.page_id = p.id where p.book_id = ${bookId} order by p.page_num`);
  const synced = await place.db.query(sql`
    select topic_key, topic_title, subtopic_key, subtopic_title, summary, guideline, source_page_start, source_page_end, status, version
    from teaching_guidelines where book_id = ${bookId} order by topic_key, subtopic_key`);
  const named = new Map<string, string>();
  const name = (id: string) => {
    if (!named.has(id)) named.set(id, `id ${named.size}`);
    return named.get(id) as string;
  };
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replace(uuids, name));
  const rows = plain({ subtopics, pages, synced });
  const files = Object.entries(await readBookFiles(place, bookId, "guidelines/")).map(
    ([file, text]) => [file.replace(uuids, name), text.replace(uuids, name)] as const,
  );
  return { ...rows, files: Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** What the service was paid for more than once. */
export function paidTwice({ openAi }: DocumentPlace): object[] {
  return openAi.calls().filter(({ paid }) => paid > 1);
}
