/**
 * Where the vectors of chunks are kept and compared. Vectors of one model never meet those of another. With pgvector the
 * database searches (HNSW); without it the process compares with every vector. Same answers, within HNSW's recall.
 */
import type { Transaction } from "../db/database.ts";

export interface ChunkVector {
  chunkId: string;
  documentId: string;
  vector: Float32Array;
}

export interface Neighbour {
  chunkId: string;
  documentId: string;
  cosine: number;
}

export interface NeighbourQuery {
  model: string;
  limit: number;
  /** Only these documents. */
  documentIds?: readonly string[];
  /** All but this document. */
  exceptDocumentId?: string;
  minCosine?: number;
}

export interface VectorStore {
  /** `exact` or `pgvector`. */
  readonly method: string;
  /** Writes vectors of length 1, replacing those of the same chunk and model; many in one statement. */
  save(tx: Transaction, model: string, vectors: readonly ChunkVector[]): Promise<void>;
  /** The nearest, best first. Includes everything that was committed before the call. */
  findNearest(vector: Float32Array, query: NeighbourQuery, signal?: AbortSignal): Promise<Neighbour[]>;
  /** The same for many at once; answers in the order of the vectors. */
  findNearestOfMany(
    vectors: readonly Float32Array[],
    query: NeighbourQuery,
    signal?: AbortSignal,
  ): Promise<Neighbour[][]>;
  close(): Promise<void>;
}
