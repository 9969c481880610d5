/** What an author is told besides the page itself: the book, the open subtopics, and what the last pages were about. */
import type { ContentsEntry } from "../../guidelines/page-structure.ts";
import { sql } from "../../jobs/index.ts";
import type { CallContext } from "../../providers/call-context.ts";
import { readVector } from "../../vectors/vector-bytes.ts";
import type { BookServices } from "./book-services.ts";
import type { OpenSubtopic, PageInContext } from "./guideline-author.ts";
import type { PageRow } from "./queries/list-pages.ts";
import { listSubtopics, type SubtopicRow } from "./queries/list-subtopics.ts";

/** What is kept of a page beside what its author sees. */
export interface PageContext extends PageInContext {
  vector: Float32Array | null;
  subtopics: SubtopicRow[];
}

const shownPages = 5;
/** More of a page hardly changes its vector. */
const embeddedCharacters = 4_000;

export async function gatherContext(
  { db, embedder }: Pick<BookServices, "db" | "embedder">,
  page: PageRow,
  text: string,
  call: CallContext,
): Promise<PageContext> {
  const [book] = await db.query<PageInContext["book"]>(
    sql`select title, grade, subject, board from books where id = ${page.bookId}`,
  );
  const subtopics = await listSubtopics(db, page.bookId);
  const before = await db.query<PageBefore>(sql`
    select g.summary, g.contents, g.parts -> 'edges' as edges, s.topic_title from page_guidelines g join book_pages p on p.id = g.page_id
    left join subtopics s on s.id = g.subtopic_id
    where g.book_id = ${page.bookId} and p.page_num < ${page.pageNum} order by p.page_num`);
  const shown = text.slice(0, embeddedCharacters).trim();
  const [vector = null] = shown === "" ? [] : await embedder.embed([shown], call);
  const open = subtopics.filter(({ status }) => status === "open");
  return {
    page: page.pageNum,
    text,
    book: book ?? { title: "", grade: null, subject: null, board: null },
    openSubtopics: open.map((row) => toOpen(row, vector)),
    recentSummaries: before
      .map(({ summary }) => summary)
      .filter(Boolean)
      .slice(-shownPages),
    recentEdges: before.slice(-shownPages).flatMap(({ edges }) => edges ?? []),
    contents: before.flatMap(({ contents }) => contents),
    lastTopicTitle: before.findLast(({ topicTitle }) => topicTitle !== null)?.topicTitle ?? null,
    vector,
    subtopics,
  };
}

interface PageBefore {
  summary: string;
  contents: ContentsEntry[];
  edges: string[] | null;
  topicTitle: string | null;
}

function toOpen(row: SubtopicRow, vector: Float32Array | null): OpenSubtopic {
  const { id, topicTitle, subtopicTitle, summary, guidelines, keyTerms, pages } = row;
  const similarity = vector && row.vector !== null ? dot(vector, readVector(row.vector)) : null;
  return { id, topicTitle, subtopicTitle, summary, guidelines, keyTerms, lastPage: pages.at(-1) ?? 0, similarity };
}

/** Of vectors of length 1, the cosine; of those of two models, nothing. */
function dot(one: Float32Array, other: Float32Array): number | null {
  if (one.length !== other.length) return null;
  return one.reduce((sum, value, index) => sum + value * (other[index] as number), 0);
}
