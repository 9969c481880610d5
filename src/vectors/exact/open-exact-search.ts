/**
 * Search without pgvector: every query is compared with every vector, in threads, over matrices kept in memory. A
 * matrix that was not asked for some minutes is let go, and read again when it is needed.
 */
import type { Database } from "../../db/database.ts";
import type { Logger } from "../../logger.ts";
import { openThreadPool, type PoolWatch, threadModule } from "../../threads/thread-pool.ts";
import { checkDimensions } from "../check-dimensions.ts";
import { findModel } from "../queries/ensure-model.ts";
import { findExisting, findExistingOf } from "../queries/find-existing.ts";
import type { Neighbour, NeighbourQuery } from "../vector-store.ts";
import { type Comparison, compareRows, queriesAtOnce, type Ranking } from "./compare-rows.ts";
import type { CompareTasks } from "./compare-thread.ts";
import { keepMatrix, type MatrixKeeper } from "./keep-matrix.ts";
import type { VectorMatrix } from "./vector-matrix.ts";

export interface ExactSearch {
  find(vectors: readonly Float32Array[], query: NeighbourQuery, signal?: AbortSignal): Promise<Neighbour[][]>;
  close(): Promise<void>;
}

interface KeptModel {
  id: number;
  keeper: MatrixKeeper;
  idle: NodeJS.Timeout;
}

const idleMs = 10 * 60_000;
const threadMemoryMb = 128;
/** A task takes a tenth of a second. */
const deadlineMs = 120_000;
/** Below this many comparisons a thread's answer takes longer than the work. */
const fewComparisons = 4_096;
/** More than asked for, because some may turn out to be deleted. */
const spare = 8;

export interface ExactSearchOptions {
  db: Database;
  logger: Logger;
  threads: number;
  watch?: PoolWatch;
}

export function openExactSearch({ db, logger, threads, watch }: ExactSearchOptions): ExactSearch {
  const module = threadModule(import.meta.url, "compare-thread");
  const pool = openThreadPool<CompareTasks>({ module, size: threads, memoryMb: threadMemoryMb, idleMs, watch });
  const models = new Map<string, KeptModel>();

  return {
    async find(vectors, query, signal) {
      const model = await keptModel(query.model);
      if (!model) return vectors.map(() => []);
      const answers: Neighbour[][] = [];
      let matrix = await model.keeper.current();
      for (const vector of vectors) checkDimensions(query.model, matrix.dimensions, vector);
      for (let at = 0; at < vectors.length; at += queriesAtOnce) {
        signal?.throwIfAborted();
        const some = vectors.slice(at, at + queriesAtOnce);
        let fetched = query.limit + spare;
        for (;;) {
          const rankings = await compare(matrix, some, query, fetched);
          const found = rankings.map((ranking) => readRanking(matrix, ranking));
          const gone = await dropDeleted(matrix, model.id, found.flat());
          if (gone === 0 && found.every(({ length }, place) => isEnough(length, rankings[place], query, fetched))) {
            answers.push(...found.map((list) => list.slice(0, query.limit)));
            break;
          }
          // What stood in the way no longer does; whatever replaced it in the meantime is to be found as well.
          signal?.throwIfAborted();
          matrix = await model.keeper.current();
          fetched *= 2;
        }
      }
      return answers;
    },
    async close() {
      for (const { idle } of models.values()) clearTimeout(idle);
      models.clear();
      await pool.close();
    },
  };

  async function keptModel(name: string): Promise<KeptModel | undefined> {
    const known = models.get(name);
    if (known) {
      known.idle.refresh();
      return known;
    }
    const model = await findModel(db, name);
    if (!model) return undefined;
    const other = models.get(name);
    if (other) return other;
    const kept: KeptModel = {
      id: model.id,
      keeper: keepMatrix({ db, logger, name, model }),
      idle: setTimeout(() => models.delete(name), idleMs).unref(),
    };
    models.set(name, kept);
    return kept;
  }

  async function compare(
    matrix: VectorMatrix,
    vectors: readonly Float32Array[],
    { documentIds, exceptDocumentId, minCosine }: NeighbourQuery,
    limit: number,
  ): Promise<Ranking[]> {
    const { stride, rows } = matrix;
    const queries = new Float32Array(vectors.length * stride);
    for (const [place, vector] of vectors.entries()) queries.set(vector, place * stride);
    const allowed = matrix.allow(documentIds, exceptDocumentId);
    const comparison = (ranges: Comparison["ranges"]) => ({ ranges, stride, queries, limit, minCosine, allowed });
    if (rows * vectors.length <= fewComparisons) return compareRows(comparison(matrix.share(1).flat()));
    const shares = await Promise.all(
      matrix.share(threads).map((ranges) => pool.run("compareRows", comparison(ranges), { deadlineMs })),
    );
    return vectors.map((_, place) => mergeRankings(shares.map((share) => share[place] as Ranking)));
  }

  /** Takes out of the answers and of the matrix what the table no longer has; says how much that was. */
  async function dropDeleted(matrix: VectorMatrix, modelId: number, found: readonly Neighbour[]): Promise<number> {
    const asked = [...new Set(found.map(({ chunkId }) => chunkId))];
    if (asked.length === 0) return 0;
    const existing = await findExisting(db, modelId, asked);
    const gone = found.filter(({ chunkId }) => !existing.has(chunkId));
    if (gone.length === 0) return 0;
    // Chunks go with their document or with its last reading: the others of the same ones are likely gone too.
    const documentIds = new Set(gone.map(({ documentId }) => documentId));
    const rows = matrix.rowsOf(documentIds);
    const left = await findExistingOf(db, modelId, [...documentIds]);
    for (const row of rows) if (!left.has(matrix.entryAt(row)?.chunkId ?? "")) matrix.drop(row);
    return gone.length;
  }
}

function readRanking(matrix: VectorMatrix, { rows, cosines }: Ranking): Neighbour[] {
  const found: Neighbour[] = [];
  rows.forEach((row, place) => {
    const entry = matrix.entryAt(row);
    if (!entry) return;
    found.push({ chunkId: entry.chunkId, documentId: entry.documentId, cosine: cosines[place] as number });
  });
  return found.sort((one, other) => other.cosine - one.cosine || (one.chunkId < other.chunkId ? -1 : 1));
}

/** Whether there can be no more: as many as wanted, or all there are and none of them replaced while we looked. */
function isEnough(found: number, ranking: Ranking | undefined, { limit }: NeighbourQuery, fetched: number): boolean {
  const ranked = ranking?.rows.length ?? 0;
  return found >= limit || (found === ranked && ranked < fetched);
}

function mergeRankings(rankings: readonly Ranking[]): Ranking {
  return {
    rows: Int32Array.from(rankings.flatMap(({ rows }) => [...rows])),
    cosines: Float32Array.from(rankings.flatMap(({ cosines }) => [...cosines])),
  };
}
