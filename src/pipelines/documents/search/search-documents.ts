/**
 * Hybrid search: passages that have the words, and passages that mean the same, each ranked by its own measure, joined by
 * their ranks. Ranks can be added up where the measures behind them cannot.
 */
import type { SearchAnswer, SearchHit, SearchQuery } from "../../../contract/documents.ts";
import { DocmillError } from "../../../errors.ts";
import { type Database, decodeCursor, encodeCursor, type Sql, sql } from "../../../jobs/index.ts";
import type { CallContext } from "../../../providers/call-context.ts";
import type { Embedder } from "../../../providers/embeddings/embedder.ts";
import type { VectorStore } from "../../../vectors/vector-store.ts";
import { findByText } from "./find-by-text.ts";
import { markWords } from "./mark-words.ts";

export interface SearchServices {
  db: Database;
  embedder: Embedder;
  vectors: VectorStore;
}

/** As deep as each list is read. */
const depth = 200;
/** Each is spoilt only by a swap that falls between finding passages and describing them. */
const mostAttempts = 3;
/**
 * How little the first places weigh against the later ones, and what a place in each list is worth. Measured on questions
 * about manuals, papers and books (bench/quality): with 60, the usual value, a passage that is first in one list and far
 * down in the other loses to many that are in the middle of both.
 */
const rankConstant = 5;
const listWeights = { text: 1.5, meaning: 1 } as const;

export async function searchDocuments(
  services: SearchServices,
  query: SearchQuery,
  call: CallContext,
): Promise<SearchAnswer> {
  const [offset] = query.cursor === undefined ? [0] : decodeCursor(query.cursor, isOffset);
  const documentIds = await chooseDocuments(services.db, query);
  if (documentIds?.length === 0) return { items: [], nextCursor: null };
  for (let attempt = 1; ; attempt++) {
    const { answer, vanished } = await searchOnce(services, query, documentIds, offset, call);
    // A document was swapped for its next reading just then: what has replaced the passages is to be found as well.
    if (!vanished || attempt === mostAttempts) return answer;
  }
}

async function searchOnce(
  services: SearchServices,
  query: SearchQuery,
  documentIds: readonly string[] | undefined,
  offset: number,
  call: CallContext,
): Promise<{ answer: SearchAnswer; vanished: boolean }> {
  const [byText, byMeaning] = await Promise.all([
    query.mode === "meaning" ? [] : findByText(services.db, query.q, documentIds, depth),
    query.mode === "text" ? nothingByMeaning : findByMeaning(services, query, documentIds, call),
  ]);
  const fused = fuse(byText, byMeaning.ids);
  const shown = fused.slice(offset, offset + query.limit);
  const items = await describeHits(services.db, query.q, shown);
  const end = offset + query.limit;
  const nextCursor = end < fused.length ? encodeCursor([end]) : null;
  const answer = { items, nextCursor, ...(byMeaning.notice && { notice: byMeaning.notice }) };
  return { answer, vanished: items.length < shown.length };
}

async function chooseDocuments(db: Database, { documentId, format }: SearchQuery): Promise<string[] | undefined> {
  if (documentId === undefined && format === undefined) return undefined;
  const isIt = documentId === undefined ? sql`true` : sql`id = ${documentId}`;
  const isOfFormat = format === undefined ? sql`true` : sql`format = ${format}`;
  const rows = await db.query<{ id: string }>(sql`select id from documents where ${isIt} and ${isOfFormat}`);
  if (documentId !== undefined && rows.length === 0 && format === undefined) {
    throw new DocmillError("NOT_FOUND", `There is no document ${documentId}.`);
  }
  return rows.map(({ id }) => id);
}

interface FoundByMeaning {
  ids: string[];
  notice?: string;
}

const nothingByMeaning: FoundByMeaning = { ids: [] };

async function findByMeaning(
  { embedder, vectors }: SearchServices,
  { q, mode }: SearchQuery,
  documentIds: readonly string[] | undefined,
  call: CallContext,
): Promise<FoundByMeaning> {
  let vector: Float32Array | undefined;
  try {
    [vector] = await embedder.embed([q], call);
  } catch (error) {
    if (call.signal.aborted || !(error instanceof DocmillError)) throw error;
    const reason = `The meaning of the query cannot be told at the moment: ${error.message}`;
    // A service that does not answer leaves the words, which find something too; who reads the answer is told.
    if (mode === "hybrid") return { ids: [], notice: `${reason} These were found by their words alone.` };
    throw new DocmillError("EMBEDDINGS_UNAVAILABLE", `${reason} Search by words: mode=text.`, { cause: error });
  }
  const query = { model: embedder.model, limit: depth, documentIds };
  const near = await vectors.findNearest(vector as Float32Array, query, call.signal);
  return { ids: near.map(({ chunkId }) => chunkId) };
}

interface FusedHit {
  chunkId: string;
  score: number;
  matched: SearchHit["matched"];
}

function fuse(byText: readonly string[], byMeaning: readonly string[]): FusedHit[] {
  const hits = new Map<string, FusedHit>();
  const add = (ids: readonly string[], how: "text" | "meaning") => {
    for (const [rank, chunkId] of ids.entries()) {
      const hit = hits.get(chunkId) ?? { chunkId, score: 0, matched: [] };
      hit.score += listWeights[how] / (rankConstant + rank + 1);
      hit.matched.push(how);
      hits.set(chunkId, hit);
    }
  };
  add(byText, "text");
  add(byMeaning, "meaning");
  return [...hits.values()].sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

interface HitRecord extends Omit<SearchHit, "document" | "score" | "matched"> {
  documentId: string;
  filename: string;
  title: string | null;
}

async function describeHits(db: Database, words: string, hits: readonly FusedHit[]): Promise<SearchHit[]> {
  if (hits.length === 0) return [];
  const ids = hits.map(({ chunkId }) => chunkId);
  const rows = await db.query<HitRecord>(sql`
    select c.id as chunk_id, d.id as document_id, d.filename, d.title, ${headline(words)} as snippet, c.page_from as page,
      c.page_to, c.heading_path, c.start_offset as start, c.end_offset as end
    from chunks c join documents d on d.id = c.document_id where c.id = any (${ids}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  return hits.flatMap(({ chunkId, score, matched }) => {
    const row = byId.get(chunkId);
    if (!row) return [];
    const { documentId, filename, title, snippet, ...rest } = row;
    return [{ ...rest, document: { id: documentId, filename, title }, snippet: markWords(snippet), score, matched }];
  });
}

/** Marked with characters that are taken out of the text, so that what it says is escaped before they become tags. */
function headline(words: string): Sql {
  return sql`ts_headline('english', translate(c.content, '\uE000\uE001', ''), websearch_to_tsquery('english', ${words}),
    'StartSel=\uE000, StopSel=\uE001, MaxWords=45, MinWords=20, MaxFragments=2, FragmentDelimiter=" … "')`;
}

function isOffset(parts: readonly unknown[]): parts is [number] {
  return (
    parts.length === 1 && Number.isInteger(parts[0]) && (parts[0] as number) >= 0 && (parts[0] as number) <= 2 * depth
  );
}
