/** What a book's files say against what its rows say. Every difference is named; none is what is wanted. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { BookPage, Guidelines, Subtopic } from "../../src/contract/books.ts";
import { withClient } from "../harness/server.ts";

/** The mirror of the pages, and the files it names. */
export async function compareMirror(files: string, bookId: string, pages: readonly BookPage[]): Promise<string[]> {
  const path = join(files, "books", bookId, "metadata.json");
  if (!existsSync(path)) return ["there is no metadata.json"];
  const mirror = JSON.parse(await readFile(path, "utf8")) as { total_pages: number; pages: BookPage[] };
  const problems: string[] = [];
  if (mirror.total_pages !== pages.length || mirror.pages.length !== pages.length)
    problems.push(`metadata.json has ${mirror.pages.length} of ${pages.length} pages`);
  for (const page of pages) {
    const mirrored = mirror.pages.find(({ page_num }) => page_num === page.page_num);
    if (!isDeepStrictEqual(mirrored, page)) problems.push(`page ${page.page_num} differs in metadata.json`);
    for (const key of [page.raw_image_key, page.image_key, page.text_key]) {
      if (key === null || !existsSync(join(files, key)))
        problems.push(`page ${page.page_num}: the file ${key} is missing`);
    }
  }
  return problems;
}

interface PageFile {
  page_num: number;
  decision: string;
  subtopic_id?: string;
}

/** Every page has its file, every subtopic its shard and no other, and they say what the rows say. */
export async function compareGuidelines(
  { files, databaseUrl }: { files: string; databaseUrl: string },
  bookId: string,
  { topics }: Guidelines,
): Promise<string[]> {
  const folder = join(files, "books", bookId, "guidelines");
  const pageFiles = await readFolder<PageFile>(join(folder, "pages"));
  const shards = await readFolder<Subtopic>(join(folder, "subtopics"));
  const rows = await withClient(databaseUrl, async (client) => {
    const found = await client.query<{ page: number; file: number; decision: string | null; subtopic: string | null }>(
      `select p.page_num as page, p.file_num as file, g.decision, g.subtopic_id as subtopic
      from book_pages p left join page_guidelines g on g.page_id = p.id where p.book_id = $1 order by p.page_num`,
      [bookId],
    );
    return found.rows;
  });
  const problems: string[] = [];
  for (const { page, file, decision, subtopic } of rows) {
    const written = pageFiles.get(String(file));
    if (decision === null) problems.push(`page ${page} has no row`);
    if (written?.page_num !== page || written.decision !== decision || (written.subtopic_id ?? null) !== subtopic)
      problems.push(`page ${page}: its file differs from its row or is missing`);
  }
  if (pageFiles.size !== rows.length) problems.push(`${pageFiles.size} files of ${rows.length} pages`);
  const subtopics = topics.flatMap((topic) => topic.subtopics);
  for (const subtopic of subtopics) {
    if (!isDeepStrictEqual(shards.get(subtopic.id), subtopic))
      problems.push(`subtopic ${subtopic.subtopic_key}: its shard differs from its row or is missing`);
  }
  if (shards.size !== subtopics.length) problems.push(`${shards.size} shards of ${subtopics.length} subtopics`);
  const covered = subtopics.flatMap(({ pages }) => pages).sort((a, b) => a - b);
  const placed = rows.filter(({ subtopic }) => subtopic !== null).map(({ page }) => page);
  if (!isDeepStrictEqual(covered, placed)) problems.push("the subtopics do not cover each page with a place once");
  return problems;
}

/** By their names without the ending. */
async function readFolder<Content>(folder: string): Promise<Map<string, Content>> {
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith(".json")) : [];
  const read = names.map(async (name) => {
    const content = JSON.parse(await readFile(join(folder, name), "utf8")) as Content;
    return [name.replace(/\.json$/, ""), content] as const;
  });
  return new Map(await Promise.all(read));
}
