/**
 * Reads the vectors out of an answer to POST /embeddings and checks them: one for each text, in their order, all of one
 * dimension, of finite numbers, brought to length 1. Packed they are strings, which is how the ledger keeps them.
 */
import { z } from "zod";
import { RetryableError, TerminalError } from "../../errors.ts";

const answerShape = z.object({
  // Base64 is what was asked for; servers that do not know it answer with numbers all the same.
  data: z.array(z.object({ index: z.int().optional(), embedding: z.union([z.string(), z.array(z.number())]) })),
  usage: z.object({ prompt_tokens: z.int().optional() }).nullish(),
});

export interface Embeddings {
  vectors: Float32Array[];
  tokens: number | undefined;
}

export function readEmbeddings(
  answer: unknown,
  expected: { count: number; dimensions: number | undefined },
): Embeddings {
  const read = answerShape.safeParse(answer);
  if (!read.success) throw badAnswer("no list of embeddings");
  const { data, usage } = read.data;
  if (data.length !== expected.count) throw badAnswer(`${data.length} embeddings for ${expected.count} texts`);
  const vectors: Float32Array[] = [];
  for (const [position, { index = position, embedding }] of data.entries()) {
    if (index < 0 || index >= expected.count || vectors[index]) throw badAnswer("embeddings with wrong numbers");
    vectors[index] = normalise(typeof embedding === "string" ? unpackVector(embedding) : Float32Array.from(embedding));
  }
  const dimensions = expected.dimensions ?? vectors[0]?.length;
  const other = vectors.find((vector) => vector.length !== dimensions);
  if (other) {
    // Asking again gives the same: the server does not know `dimensions`, or has another model by now.
    const message = `The model answers with vectors of ${other.length} dimensions, not of ${dimensions}.`;
    throw new TerminalError("WRONG_DIMENSIONS", message);
  }
  return { vectors, tokens: usage?.prompt_tokens };
}

/** Float32, little-endian, in base64: a quarter of what the numbers take as JSON. */
export function packVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}

export function unpackVector(packed: string): Float32Array {
  const bytes = Buffer.from(packed, "base64");
  if (bytes.length % 4 !== 0) throw badAnswer("an embedding cut short");
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw badAnswer("an embedding that is not a direction");
  return vector.map((value) => value / length);
}

function badAnswer(what: string): RetryableError {
  return new RetryableError("BAD_ANSWER", `The embedding model answered with ${what}.`);
}
