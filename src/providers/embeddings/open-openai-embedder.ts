/**
 * Embeddings over OpenAI's protocol, from OpenAI, from Azure or from any server that speaks it. Every batch of texts is
 * one call of the ledger: the same batch is paid for once.
 */
import { ledgerKey, type PaidAnswer } from "../../jobs/ledger.ts";
import { type AzureAddress, type OpenAiAddress, type OpenAiServer, openOpenAiServer } from "../remote/openai-server.ts";
import { costMicros, type Prices } from "../remote/prices.ts";
import { type Calibration, calibrationOf, strengthOf } from "./calibration.ts";
import { cutToTokens } from "./cut-to-tokens.ts";
import type { Embedder } from "./embedder.ts";
import { packVector, readEmbeddings, unpackVector } from "./read-embeddings.ts";

interface EmbedderSettings {
  /** Asked of models that can shorten their vectors; required of the answers in any case. */
  dimensions?: number;
  batchSize?: number;
  timeoutMs?: number;
  /** Longer texts are cut. OpenAI's models take 8191. */
  maxInputTokens?: number;
  /** Without it the model's name decides. */
  calibration?: Calibration;
  prices?: Prices;
}

export type OpenAiEmbedderOptions = OpenAiAddress & EmbedderSettings;
export type AzureEmbedderOptions = AzureAddress & EmbedderSettings;

const defaultBatchSize = 64;
const defaultTimeoutMs = 60_000;
const defaultMaxInputTokens = 8_000;
/** 2,048 texts of 3,072 dimensions as JSON numbers, and a little. */
const maxAnswerBytes = 160 * 2 ** 20;

/** Models by whose name the dimensions are known, so that naming the usual number is no other model. */
const usualDimensions: Record<string, number> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
};

export function openOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  return openEmbedder(openOpenAiServer(options), options);
}

export function openAzureEmbedder(options: AzureEmbedderOptions): Embedder {
  return openEmbedder(openOpenAiServer(options), options);
}

function openEmbedder(server: OpenAiServer, settings: EmbedderSettings): Embedder {
  const { maxInputTokens = defaultMaxInputTokens, timeoutMs = defaultTimeoutMs } = settings;
  const calibration = settings.calibration ?? calibrationOf(server.model);
  const usual = usualDimensions[server.model];
  const asked = settings.dimensions === usual ? undefined : settings.dimensions;
  const named = settings.dimensions ?? usual;
  const model = [server.provider, server.model, named].filter((part) => part !== undefined).join("/");
  let dimensions = named;
  let packed = true;

  return {
    provider: server.provider,
    model,
    batchSize: settings.batchSize ?? defaultBatchSize,
    async embed(texts, call) {
      if (texts.length === 0) return [];
      const input = await Promise.all(texts.map((text) => cutToTokens(fillEmpty(text), maxInputTokens)));
      const paid = { provider: server.provider, model, parameters: { purpose: "embeddings" }, input };
      const { vectors } = await call.remember({ ...paid, call: (signal) => ask(input, ledgerKey(paid), signal) });
      const unpacked = vectors.map(unpackVector);
      dimensions ??= unpacked[0]?.length;
      return unpacked;
    },
    strengthOf: (cosine) => strengthOf(cosine, calibration),
    close: async () => {},
  };

  async function ask(
    input: readonly string[],
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<PaidAnswer<{ vectors: string[] }>> {
    let tried = packed;
    const body = () => {
      tried = packed;
      return { input, encoding_format: tried ? "base64" : "float", ...(asked && { dimensions: asked }) };
    };
    const adapt = (reason: string) => {
      const refused = tried && /encoding_format|base64/i.test(reason);
      if (refused) packed = false;
      return refused;
    };
    const answer = await server.post("embeddings", body, { idempotencyKey, timeoutMs, maxAnswerBytes, signal, adapt });
    const { vectors, tokens } = readEmbeddings(answer, { count: input.length, dimensions });
    return {
      answer: { vectors: vectors.map(packVector) },
      tokensIn: tokens,
      costMicros: costMicros(settings.prices, tokens),
    };
  }
}

/** Servers refuse a text of nothing, and with it the whole batch. */
function fillEmpty(text: string): string {
  return text.trim() === "" ? "-" : text;
}
