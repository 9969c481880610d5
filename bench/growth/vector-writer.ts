/** Vectors of the default model's kind, each near the middle of its topic, and the way they are stored. */
import type { Database, Transaction } from "../../src/db/database.ts";
import { openLocalEmbedder } from "../../src/providers/embeddings/local/open-local-embedder.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import type { ChunkVector } from "../../src/vectors/vector-store.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { describeLibrary } from "../documents/made-up-passages.ts";
import { type Random, seededRandom } from "../documents/random.ts";

export interface VectorWriter {
  make(chunkId: string, documentId: string, topic: number): ChunkVector;
  save(tx: Transaction, vectors: readonly ChunkVector[]): Promise<void>;
  close(): Promise<void>;
}

const dimensions = 512;
const seed = 31;

export async function openVectorWriter(db: Database): Promise<VectorWriter> {
  const random = seededRandom(seed);
  const centres = Array.from({ length: describeLibrary().topics }, () => near(new Float32Array(dimensions), 1, random));
  const { model } = openLocalEmbedder({ threads: 1 });
  const store = await openVectorStore({ db, logger, threads: 1 });
  return {
    make(chunkId, documentId, topic) {
      // Some passages are close to the middle of their topic and some are hardly about it.
      const away = 0.2 + 1.2 * random.next();
      return { chunkId, documentId, vector: near(centres[topic] as Float32Array, away, random) };
    },
    save: (tx, vectors) => store.save(tx, model, vectors),
    close: () => store.close(),
  };
}

/** Of length 1, about so far from the centre. */
function near(centre: Float32Array, away: number, random: Random): Float32Array {
  const scale = away / Math.sqrt(centre.length);
  const vector = new Float32Array(centre.length);
  let squares = 0;
  for (let place = 0; place < vector.length; place++) {
    const value = (centre[place] as number) + scale * random.normal();
    vector[place] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  for (let place = 0; place < vector.length; place++) vector[place] = (vector[place] as number) / length;
  return vector;
}
