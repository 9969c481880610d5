/**
 * Providers that a user writes: what `docmill.config.ts` gives as `providers`. Each is an object with a name, a version and
 * one function. Docmill checks what the function answers, gives it a time limit, and keeps the answers of paid ones.
 */
import type { Calibration } from "../embeddings/calibration.ts";
import type { ChatPart } from "../models/chat-model.ts";

/** What all providers have in common. */
export interface Provider {
  /** As people will see it. */
  name: string;
  /** Another version is another provider: kept answers and vectors of the one before are not used any more. */
  version: string;
  /** Its answers cost money: each is kept in the ledger before it is used, and the same question is never paid twice. */
  paid?: boolean;
  /** The longest a call may take; 60,000 if left out. */
  timeoutMs?: number;
}

/** What a function of a provider gets besides the question. */
export interface ProviderCall {
  /** Aborts when the job is cancelled or the time is over: pass it on to `fetch` and the like. */
  signal: AbortSignal;
  /** Names the question, the same whenever it is asked: for services that take an Idempotency-Key. */
  key: string;
}

/** What an answer cost, for the statistics. */
export interface ProviderUsage {
  tokensIn?: number;
  tokensOut?: number;
  /** In millionths of the currency you are billed in. */
  costMicros?: number;
}

/** A place on a page, from its top left corner. */
export interface ProviderBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A word, or a line of words: a line is cut into its words by the length of their letters. */
export interface ProviderWord {
  text: string;
  box: ProviderBox;
  /** 0 to 1, where it is known. */
  confidence?: number;
}

/** The picture of a page, upright. */
export interface PagePicture {
  /** A grey PNG. */
  png: Uint8Array;
  /** In pixels. */
  width: number;
  height: number;
  /** Pixels per inch. */
  dpi: number;
}

/**
 * Reads the words off pages that have no text.
 *
 * @example
 * const ocr: OcrProvider = {
 *   name: "reading-room",
 *   version: "2",
 *   paid: true,
 *   async read({ png }, { signal, key }) {
 *     const answer = await fetch("https://ocr.example.com/read", {
 *       method: "POST", body: png, signal, headers: { "idempotency-key": key },
 *     });
 *     if (!answer.ok) throw errorFromStatus(answer.status, "The reading room refused", answer.headers);
 *     return { words: await answer.json() };
 *   },
 * };
 */
export interface OcrProvider extends Provider {
  /** Boxes in pixels of the picture. Pages without ink are not asked about. */
  read(page: PagePicture, call: ProviderCall): Promise<{ words: readonly ProviderWord[]; usage?: ProviderUsage }>;
}

/**
 * Turns texts into vectors. Vectors of another name, version or number of dimensions are another model's: documents get
 * new ones after a start with it.
 *
 * @example
 * const embeddings: EmbeddingProvider = {
 *   name: "house-model",
 *   version: "3",
 *   dimensions: 384,
 *   embed: async (texts) => ({ vectors: await model.encode(texts) }),
 * };
 */
export interface EmbeddingProvider extends Provider {
  dimensions: number;
  /** How many texts a call takes best; 64 if left out. */
  batchSize?: number;
  /** What a cosine means with this model: above `related` a reader would call two texts related. */
  calibration?: Calibration;
  /** A vector for each text, in their order; of any length but 0, Docmill makes it 1. */
  embed(
    texts: readonly string[],
    call: ProviderCall,
  ): Promise<{ vectors: readonly ArrayLike<number>[]; usage?: ProviderUsage }>;
}

/** What a model is asked. */
export interface ModelQuestion {
  instructions: string;
  input: readonly ChatPart[];
  /** Names the shape of the answer. */
  name: string;
  /** The JSON schema of the answer, an object. */
  schema: Record<string, unknown>;
  /** The answer given before and what was wrong with it. It is asked again once. */
  wrong?: { answer: string; problem: string };
}

/**
 * Answers questions with data of a given shape.
 *
 * @example
 * const model: ModelProvider = {
 *   name: "house-llm",
 *   version: "2026-10",
 *   async answer({ instructions, input, schema }, { signal }) {
 *     return { answer: await askOurModel(instructions, input, schema, signal) };
 *   },
 * };
 */
export interface ModelProvider extends Provider {
  /** The answer as an object, or as text with JSON in it. Docmill checks it against the schema. */
  answer(question: ModelQuestion, call: ProviderCall): Promise<{ answer: unknown; usage?: ProviderUsage }>;
}

/** The file a document was made of. */
export interface ProviderFile {
  sha256: string;
  contentType: string;
  size: number;
  /** The whole file. It may have as many megabytes as DOCMILL_MAX_FILE_MB says. */
  bytes(): Promise<Uint8Array>;
}

/** A label with its value. */
export interface ProviderField {
  key: string;
  value: string;
  kind?: "text" | "date" | "amount" | "number" | "checkbox";
  /** A date as YYYY-MM-DD, an amount as a plain decimal. */
  normalized?: string;
  confidence?: number;
  box?: ProviderBox;
}

/** A part of a page, in reading order. Larger type makes a higher heading. */
export type ProviderBlock =
  | {
      kind: "paragraph" | "heading" | "list_item" | "code" | "caption" | "footnote";
      /** Markdown of one line. */
      text: string;
      box: ProviderBox;
      fontSize?: number;
    }
  | { kind: "table"; rows: readonly (readonly string[])[]; headerRows?: number; caption?: string; box: ProviderBox };

/** A page as an extraction provider reads it; sizes and boxes in points (1/72 inch). */
export interface ProviderPage {
  page: number;
  width: number;
  height: number;
  words: readonly ProviderWord[];
  /** Left out: Docmill finds them in the words. */
  blocks?: readonly ProviderBlock[];
  /** Left out: Docmill finds them in the words. */
  fields?: readonly ProviderField[];
}

/**
 * Reads the pages of whole documents (PDF and images) in place of Docmill's own readers.
 *
 * @example
 * const extraction: ExtractionProvider = {
 *   name: "forms-service",
 *   version: "1",
 *   paid: true,
 *   pagesPerCall: 5,
 *   analyse: async (file, { from, to }, { signal }) => ({
 *     pages: await formsService.read(await file.bytes(), from, to, signal),
 *   }),
 * };
 */
export interface ExtractionProvider extends Provider {
  /** How many pages a call takes best; 10 if left out. */
  pagesPerCall?: number;
  /** The pages `from` to `to`, both included, each exactly once. */
  analyse(
    file: ProviderFile,
    pages: { from: number; to: number },
    call: ProviderCall,
  ): Promise<{ pages: readonly ProviderPage[]; usage?: ProviderUsage }>;
}

/** Those given are used in place of what the settings name. */
export interface Providers {
  ocr?: OcrProvider;
  embeddings?: EmbeddingProvider;
  model?: ModelProvider;
  extraction?: ExtractionProvider;
}

/** How people are told whose it is. */
export const ownProvider = "yours (config file)";

export function describeOwn({ name, version }: Provider): string {
  return `${name} ${version}, ${ownProvider}`;
}
