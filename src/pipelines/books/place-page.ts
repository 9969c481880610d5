/** Gives a page its place: a subtopic that begins with it, or one that it continues, as it will be with the page in it. */
import { makeKey } from "../../guidelines/make-key.ts";
import { mergeTerms } from "../../guidelines/merge-terms.ts";
import { type Database, derivedId } from "../../jobs/index.ts";
import type { CallContext } from "../../providers/call-context.ts";
import { readVector } from "../../vectors/vector-bytes.ts";
import type { PageContext } from "./gather-context.ts";
import type { Decision, GuidelineAuthor, ReadPage } from "./guideline-author.ts";
import type { PageRow } from "./queries/list-pages.ts";
import { listParts, type SubtopicRow } from "./queries/list-subtopics.ts";

export interface PlacedSubtopic extends Omit<SubtopicRow, "vector"> {
  isNew: boolean;
  vector: Float32Array | null;
}

export interface PlacedPage extends ReadPage {
  provenance: GuidelineAuthor["provenance"];
  /** Null for a page that is skipped. */
  subtopic: PlacedSubtopic | null;
}

export async function placePage(
  { db, author }: { db: Database; author: GuidelineAuthor },
  page: PageRow,
  context: PageContext,
  read: ReadPage,
  call: CallContext,
): Promise<PlacedPage> {
  const { decision } = read;
  const { provenance } = author;
  switch (decision.kind) {
    case "skip":
      return { ...read, provenance, subtopic: null };
    case "new": {
      const own = findOwn(page, context);
      if (!own) return { ...read, provenance, subtopic: await begin(author, page, context, read, decision, call) };
      const { confidence, reason } = decision;
      const back: Decision = { kind: "continue", subtopicId: own.id, confidence, reason };
      const subtopic = await goOn(db, author, page, context, read, back, own, call);
      return { ...read, decision: back, provenance, subtopic };
    }
    case "continue": {
      const row = context.subtopics.find(({ id }) => id === decision.subtopicId);
      if (!row) throw new Error(`subtopic ${decision.subtopicId} is not of this book`);
      return { ...read, provenance, subtopic: await goOn(db, author, page, context, read, decision, row, call) };
    }
  }
}

/** The subtopic that once began with this page and has others still: the page goes back to it while it is not finished. */
function findOwn(page: PageRow, { subtopics }: PageContext): SubtopicRow | undefined {
  return subtopics.find(({ id, status }) => id === subtopicId(page, 0) && (status === "open" || status === "stable"));
}

/** Of the page that it begins with: made again after a crash, it is the same one. */
function subtopicId(page: PageRow, count: number): string {
  return count === 0 ? derivedId("subtopic", page.id) : derivedId("subtopic", page.id, count);
}

function freeId(page: PageRow, { subtopics }: PageContext): string {
  const taken = new Set(subtopics.map(({ id }) => id));
  for (let count = 0; ; count++) if (!taken.has(subtopicId(page, count))) return subtopicId(page, count);
}

async function begin(
  author: GuidelineAuthor,
  page: PageRow,
  context: PageContext,
  { parts }: ReadPage,
  { topicTitle, subtopicTitle, confidence }: Extract<Decision, { kind: "new" }>,
  call: CallContext,
): Promise<PlacedSubtopic> {
  const same = context.subtopics.find((row) => row.topicTitle.toLowerCase() === topicTitle.toLowerCase());
  const topicKey = same?.topicKey ?? makeKey(topicTitle, new Set(context.subtopics.map((row) => row.topicKey)));
  const written = await author.write({ topicTitle, subtopicTitle }, null, context, [parts], call);
  return {
    id: freeId(page, context),
    isNew: true,
    topicKey,
    topicTitle: same?.topicTitle ?? topicTitle,
    subtopicKey: makeKey(subtopicTitle, new Set(context.subtopics.map((row) => row.subtopicKey))),
    subtopicTitle,
    ...written,
    status: "open",
    version: 1,
    confidence,
    provenance: author.provenance,
    edited: false,
    keyTerms: mergeTerms([], parts.keyTerms),
    vector: context.vector,
    pages: [page.pageNum],
  };
}

async function goOn(
  db: Database,
  author: GuidelineAuthor,
  page: PageRow,
  context: PageContext,
  { parts }: ReadPage,
  { confidence }: Extract<Decision, { kind: "continue" }>,
  row: SubtopicRow,
  call: CallContext,
): Promise<PlacedSubtopic> {
  const all = [...(await listParts(db, row.id)), parts].sort((a, b) => a.page - b.page);
  const written = await author.write(row, row, context, all, call);
  const count = row.pages.length;
  return {
    ...row,
    isNew: false,
    ...written,
    version: row.version + 1,
    confidence: (row.confidence * count + confidence) / (count + 1),
    provenance: author.provenance,
    keyTerms: mergeTerms(row.keyTerms, parts.keyTerms),
    vector: meanVector(row.vector === null ? null : readVector(row.vector), count, context.vector),
    pages: [...row.pages, page.pageNum].sort((a, b) => a - b),
  };
}

/** Of length 1 again. Vectors of another model are not mixed in. */
export function meanVector(mean: Float32Array | null, count: number, next: Float32Array | null): Float32Array | null {
  if (!mean || !next || mean.length !== next.length) return next ?? mean;
  const sum = mean.map((value, index) => value * count + (next[index] as number));
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
