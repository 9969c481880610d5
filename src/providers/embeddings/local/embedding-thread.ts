/** A thread that embeds texts. The weights lie in the buffer all threads share; whoever is asked first fills it. */
import { serveTasks, threadSettings } from "../../../threads/serve-tasks.ts";
import { createNetwork, type Network, normaliseVector } from "./network.ts";
import { readTensors, readVocabulary } from "./read-model.ts";
import { createTokenizer, type Tokenizer } from "./tokenize.ts";
import { packWeights, shape, viewWeights } from "./weights.ts";

export interface EmbeddingSettings {
  weights: SharedArrayBuffer;
}

const tasks = {
  async loadWeights(_input: undefined): Promise<void> {
    packWeights(threadSettings<EmbeddingSettings>().weights, await readTensors());
  },

  async embedTexts({ texts }: { texts: readonly string[] }): Promise<Float32Array[]> {
    const { tokenize, network } = await prepare();
    const windows = texts.map((text) => splitWindows(tokenize(text)));
    const vectors = network.run(windows.flat());
    let next = 0;
    return windows.map(({ length }) => {
      const own = vectors.slice(next, next + length);
      next += length;
      return averageVectors(own);
    });
  },
};

export type EmbeddingTasks = typeof tasks;

let prepared: Promise<{ tokenize: Tokenizer; network: Network }> | undefined;

function prepare() {
  prepared ??= (async () => ({
    tokenize: createTokenizer(await readVocabulary()),
    network: createNetwork(viewWeights(threadSettings<EmbeddingSettings>().weights)),
  }))();
  return prepared;
}

/** Windows of even length: a short rest would weigh as much in the mean as all before it. */
function splitWindows(tokens: Int32Array): Int32Array[] {
  const count = Math.max(1, Math.ceil(tokens.length / shape.window));
  return Array.from({ length: count }, (_, index) =>
    tokens.subarray(Math.round((index * tokens.length) / count), Math.round(((index + 1) * tokens.length) / count)),
  );
}

function averageVectors(vectors: readonly Float32Array[]): Float32Array {
  const [first, ...rest] = vectors as [Float32Array, ...Float32Array[]];
  if (rest.length === 0) return first;
  return normaliseVector(first.map((value, i) => rest.reduce((sum, vector) => sum + (vector[i] as number), value)));
}

serveTasks(tasks);
