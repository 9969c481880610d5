/** The user's own embeddings as an embedder: vectors checked, brought to length 1, and kept packed where they were paid for. */
import { z } from "zod";
import { TerminalError } from "../../errors.ts";
import { calibrationOf, strengthOf } from "../embeddings/calibration.ts";
import type { Embedder } from "../embeddings/embedder.ts";
import { packVector, unpackVector } from "../embeddings/read-embeddings.ts";
import { askOwn, usageShape, wrongAnswer } from "./ask-own.ts";
import { type EmbeddingProvider, ownProvider } from "./own-providers.ts";

const use = "embeddings";
const defaultBatchSize = 64;
const answerShape = z.object({
  vectors: z.array(
    z.custom<ArrayLike<number>>(
      (given) => Array.isArray(given) || given instanceof Float32Array || given instanceof Float64Array,
      "is no list of numbers",
    ),
  ),
  usage: usageShape,
});

export function openOwnEmbedder(own: EmbeddingProvider): Embedder {
  const calibration = own.calibration ?? calibrationOf(own.name);
  return {
    provider: ownProvider,
    model: `own/${own.name}/${own.version}/${own.dimensions}`,
    batchSize: own.batchSize ?? defaultBatchSize,
    async embed(texts, call) {
      if (texts.length === 0) return [];
      const packed = await askOwn(
        own,
        { dimensions: own.dimensions, texts },
        {
          use,
          ask: (context) => own.embed(texts, context),
          shape: answerShape,
          keep: ({ vectors }) => readVectors(own, vectors, texts.length).map(packVector),
        },
        call,
      );
      return packed.map(unpackVector);
    },
    strengthOf: (value) => strengthOf(value, calibration),
    close: async () => {},
  };
}

function readVectors(own: EmbeddingProvider, vectors: readonly ArrayLike<number>[], count: number): Float32Array[] {
  if (vectors.length !== count) throw wrongAnswer(own, use, `${vectors.length} vectors for ${count} texts`);
  return vectors.map((numbers, index) => {
    if (numbers.length !== own.dimensions) {
      const message = `The embeddings provider "${own.name}" of the config file says ${own.dimensions} dimensions and answered with ${numbers.length}. Correct its dimensions.`;
      throw new TerminalError("WRONG_DIMENSIONS", message);
    }
    const vector = Float32Array.from(numbers);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    if (!Number.isFinite(length)) throw wrongAnswer(own, use, `vector ${index + 1} has something that is no number`);
    if (length === 0) throw wrongAnswer(own, use, `vector ${index + 1} is all zeros and has no direction`);
    return vector.map((value) => value / length);
  });
}
