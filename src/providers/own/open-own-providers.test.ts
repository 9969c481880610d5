/** Providers of a user's own, well and badly behaved: what Docmill makes of each. */
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rememberCalls } from "../../../test/support/remembered-calls.ts";
import { RetryableError, TerminalError } from "../../errors.ts";
import { toDocmillError } from "../../jobs/errors.ts";
import type { PageText } from "../../layout/page.ts";
import { openOwnEmbedder } from "./open-own-embedder.ts";
import { openOwnExtraction } from "./open-own-extraction.ts";
import { openOwnModel } from "./open-own-model.ts";
import { openOwnOcr } from "./open-own-ocr.ts";
import type { EmbeddingProvider, ModelQuestion, ProviderPage, ProviderWord } from "./own-providers.ts";

const facts = { name: "mine", version: "7" };

function embedderOf(embed: () => unknown, more: Partial<EmbeddingProvider> = {}) {
  return openOwnEmbedder({ ...facts, dimensions: 2, embed: embed as EmbeddingProvider["embed"], ...more });
}

/** What the engine would make of the failure. */
async function failureOf(embed: () => unknown, more?: Partial<EmbeddingProvider>) {
  const call = rememberCalls();
  const error = await embedderOf(embed, { paid: true, ...more })
    .embed(["one", "two"], call)
    .catch((thrown: unknown) => thrown);
  expect(call.paid.size).toBe(0);
  expect(error).toBeInstanceOf(Error);
  return toDocmillError(error);
}

describe("what any of them does wrong", () => {
  test("an error of its own that says whether to try again keeps its word", async () => {
    const busy = new RetryableError("RATE_LIMIT", "Later.", { retryAfterMs: 5_000 });
    expect(await failureOf(async () => Promise.reject(busy))).toBe(busy);
    const never = new TerminalError("NO_SUCH_LANGUAGE", "I do not read this.");
    expect(await failureOf(async () => Promise.reject(never))).toBe(never);
  });

  test.for([
    ["an error nobody knows", new Error("boom"), { code: "UNKNOWN", retryable: false }],
    ["a network error", new TypeError("fetch failed", { cause: { code: 1 } }), { code: "UNKNOWN", retryable: false }],
    [
      "a connection that was refused",
      new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) }),
      { code: "NETWORK_ERROR", retryable: true },
    ],
    ["something that is no error", "just words", { code: "UNKNOWN", retryable: false }],
  ] as const)("%s is told in its name", async ([_, thrown, expected]) => {
    const error = await failureOf(() => {
      throw thrown;
    });
    expect(error).toMatchObject(expected);
    expect(error.message).toContain('The embeddings provider "mine" of the config file failed: ');
  });

  test("one that hangs, and does not look at its signal, is left behind", async () => {
    const error = await failureOf(() => new Promise(() => {}), { timeoutMs: 20 });
    expect(error).toMatchObject({ code: "TIMEOUT", retryable: true });
    expect(error.message).toContain("did not answer within 0.02 s (its timeoutMs)");
  });

  test("the end of the job ends it at once, with the job's own reason", async () => {
    const job = new AbortController();
    const asked = Promise.withResolvers<AbortSignal>();
    const embedder = openOwnEmbedder({
      ...facts,
      dimensions: 2,
      embed: (_, { signal }) => {
        asked.resolve(signal);
        return new Promise(() => {});
      },
    });
    const ended = expect(embedder.embed(["one"], rememberCalls(job.signal))).rejects.toThrow("cancelled by a person");
    const signal = await asked.promise;
    job.abort(new Error("cancelled by a person"));
    await ended;
    expect(signal.aborted).toBe(true);
  });

  test.for([
    ["nothing", undefined, "expected object"],
    ["another thing", { words: [] }, "vectors"],
    ["too few", { vectors: [[1, 2]] }, "1 vectors for 2 texts"],
    ["no lists", { vectors: ["a", "b"] }, "vectors.0: is no list of numbers"],
    [
      "NaN",
      {
        vectors: [
          [1, 2],
          [Number.NaN, 1],
        ],
      },
      "vector 2 has something that is no number",
    ],
    [
      "words for numbers",
      {
        vectors: [
          [1, 2],
          ["x", 1],
        ],
      },
      "vector 2 has something that is no number",
    ],
    [
      "zeros",
      {
        vectors: [
          [1, 2],
          [0, 0],
        ],
      },
      "vector 2 is all zeros",
    ],
    [
      "costs below nothing",
      {
        vectors: [
          [1, 2],
          [2, 1],
        ],
        usage: { tokensIn: -1 },
      },
      "usage.tokensIn",
    ],
  ] as const)("an answer of %s is refused and not kept", async ([_, answer, problem]) => {
    const error = await failureOf(async () => answer);
    expect(error).toMatchObject({ code: "BAD_ANSWER", retryable: false });
    expect(error.message).toContain(problem);
  });

  test("vectors of another length than it says", async () => {
    const error = await failureOf(async () => ({
      vectors: [
        [1, 2, 3],
        [1, 2, 3],
      ],
    }));
    expect(error).toMatchObject({ code: "WRONG_DIMENSIONS", retryable: false });
    expect(error.message).toContain("says 2 dimensions and answered with 3");
  });
});

describe("embeddings", () => {
  test("are of length 1, and named by all that decides them", async () => {
    const embedder = embedderOf(async () => ({ vectors: [[3, 4], new Float32Array([0, -2])] }));
    expect(embedder).toMatchObject({ provider: "yours (config file)", model: "own/mine/7/2", batchSize: 64 });
    const [first, second] = await embedder.embed(["a", "b"], rememberCalls());
    expect(Array.from(first ?? [])).toEqual([Math.fround(0.6), Math.fround(0.8)]);
    expect(Array.from(second ?? [])).toEqual([0, -1]);
  });

  test("are asked once where they are paid for, and each time where they are not", async () => {
    let asked = 0;
    const embed = async () => ({ vectors: [[++asked, 1]], usage: { costMicros: 5 } });
    const paid = rememberCalls();
    for (const embedder of [embedderOf(embed, { paid: true }), embedderOf(embed, { paid: true })]) {
      await embedder.embed(["a"], paid);
    }
    expect(asked).toBe(1);
    expect([...paid.paid.values()]).toMatchObject([{ costMicros: 5 }]);
    // Another version is another answer.
    await embedderOf(embed, { paid: true, version: "8" }).embed(["a"], paid);
    expect(asked).toBe(2);
    const free = rememberCalls();
    await embedderOf(embed).embed(["a"], free);
    await embedderOf(embed).embed(["a"], free);
    expect({ asked, kept: free.paid.size }).toEqual({ asked: 4, kept: 0 });
  });

  test("get the same key for the same question", async () => {
    const keys: string[] = [];
    const embedder = openOwnEmbedder({
      ...facts,
      dimensions: 1,
      embed: async (texts, { key }) => {
        keys.push(key);
        return { vectors: texts.map(() => [1]) };
      },
    });
    for (const text of ["a", "a", "b"]) await embedder.embed([text], rememberCalls());
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toBe(keys[1]);
  });
});

describe("OCR", () => {
  const ink = sharp({ create: { width: 300, height: 200, channels: 3, background: "white" } }).composite([
    { input: { create: { width: 80, height: 40, channels: 3, background: "black" } }, left: 20, top: 30 },
  ]);
  const page = async (image: Sharp) => ({
    data: new Uint8Array(await image.png().toBuffer()),
    format: "encoded" as const,
    width: 300,
    height: 200,
    dpi: 144,
  });

  test("gets a PNG and gives words in pixels, and lines that are cut into words", async () => {
    let seen: unknown;
    const ocr = openOwnOcr({
      ...facts,
      async read(picture) {
        const { format, width, height } = await sharp(picture.png).metadata();
        seen = { format, width, height, said: [picture.width, picture.height, picture.dpi] };
        return {
          words: [
            { text: "Total", box: { x: 150, y: 75, width: 30, height: 15 }, confidence: 0.9 },
            { text: "to \0pay", box: { x: 0, y: 0, width: 60, height: 15 } },
          ],
        };
      },
    });
    expect(ocr.name).toBe("mine 7, yours (config file)");
    const { words, width, height } = await ocr.recognise(await page(ink), rememberCalls());
    expect(seen).toEqual({ format: "png", width: 300, height: 200, said: [300, 200, 144] });
    expect({ width, height }).toEqual({ width: 150, height: 100 });
    expect(words[0]).toEqual({ text: "Total", box: { x: 75, y: 37.5, width: 15, height: 7.5 }, confidence: 0.9 });
    expect(words.slice(1).map(({ text }) => text)).toEqual(["to", "pay"]);
  });

  test("is not asked about a page without ink", async () => {
    const ocr = openOwnOcr({ ...facts, read: () => Promise.reject(new Error("asked")) });
    const empty = sharp({ create: { width: 300, height: 200, channels: 3, background: "white" } });
    expect(await ocr.recognise(await page(empty), rememberCalls())).toMatchObject({ words: [], blank: true });
  });

  test.for([
    ["no box", { text: "a" }],
    ["a box of NaN", { text: "a", box: { x: Number.NaN, y: 0, width: 1, height: 1 } }],
    ["a box of no size", { text: "a", box: { x: 0, y: 0, width: 0, height: 1 } }],
    ["a confidence in percent", { text: "a", box: { x: 0, y: 0, width: 1, height: 1 }, confidence: 95 }],
  ] as const)("with a word with %s is refused", async ([_, word]) => {
    const ocr = openOwnOcr({ ...facts, read: async () => ({ words: [word as ProviderWord] }) });
    await expect(ocr.recognise(await page(ink), rememberCalls())).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });
});

describe("a model", () => {
  const question = {
    schema: z.object({ total: z.number() }),
    name: "total",
    instructions: "Read the total.",
    input: [{ type: "text" as const, text: "Total 12.50" }],
    promptVersion: 1,
  };

  test("answers with an object or with JSON in a text", async () => {
    for (const answer of [{ total: 12.5 }, 'Here it is: {"total": 12.5}']) {
      const model = openOwnModel({ ...facts, answer: async () => ({ answer }) });
      expect(await model.complete(question, rememberCalls())).toEqual({ total: 12.5 });
    }
  });

  test("is told once what is wrong with its answer, and pays for both", async () => {
    const asked: ModelQuestion[] = [];
    const model = openOwnModel({
      ...facts,
      paid: true,
      async answer(given) {
        asked.push(given);
        return { answer: given.wrong ? { total: 12.5 } : { sum: 12.5 } };
      },
    });
    const call = rememberCalls();
    expect(await model.complete(question, call)).toEqual({ total: 12.5 });
    expect(asked).toMatchObject([
      { schema: { type: "object", required: ["total"] }, instructions: "Read the total." },
      { wrong: { answer: '{"sum":12.5}', problem: expect.stringContaining("total") } },
    ]);
    expect(call.paid.size).toBe(2);
    expect(await model.complete(question, call)).toEqual({ total: 12.5 });
    expect(asked).toHaveLength(2);
  });

  test.for([
    ["a number", 7],
    ["what does not fit, twice", { sum: 1 }],
  ] as const)("that answers with %s is refused", async ([_, answer]) => {
    const model = openOwnModel({ ...facts, answer: async () => ({ answer }) });
    await expect(model.complete(question, rememberCalls())).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });
});

describe("extraction", () => {
  const file = {
    sha256: "0".repeat(64),
    contentType: "application/pdf",
    size: 4,
    open: async () => new Blob(["%PDF"]).stream() as never,
  };
  const box = { x: 10, y: 10, width: 100, height: 12 };
  const reader = {
    arrange: async ({ words }: PageText) => ({
      blocks: words.map(({ text }) => ({ kind: "paragraph" as const, text, box, fontSize: 10, bold: false })),
      fields: [],
    }),
  };
  const pageOf = (page: number, more: Partial<ProviderPage> = {}): ProviderPage => ({
    page,
    width: 595,
    height: 842,
    words: [{ text: `word${page}`, box }],
    ...more,
  });
  const analyse = (pages: ProviderPage[]) =>
    openOwnExtraction({ ...facts, analyse: async () => ({ pages }) }, reader).analyse(
      file,
      { from: 2, to: 3 },
      rememberCalls(),
    );

  test("gives pages in any order; what it does not say is found in the words", async () => {
    const fields = [{ key: "total", value: "12.50", kind: "amount" as const, normalized: "12.50" }];
    const blocks = [{ kind: "table" as const, rows: [["a", "b"], ["c"]], box }];
    const [second, third] = await analyse([pageOf(3, { fields, blocks }), pageOf(2)]);
    expect(second).toMatchObject({ text: { page: 2, source: "model" }, blocks: [{ text: "word2" }], fields: [] });
    expect(third?.fields).toEqual([{ ...fields[0], confidence: 1, page: 3, source: "own" }]);
    const cells = [
      [{ text: "a" }, { text: "b" }],
      [{ text: "c" }, { text: "" }],
    ];
    expect(third?.blocks).toMatchObject([{ kind: "table", headerRows: 1, rows: cells }]);
  });

  test("reads the file when it wants to", async () => {
    const service = openOwnExtraction(
      {
        ...facts,
        async analyse({ bytes, contentType }, { from, to }) {
          const text = Buffer.from(await bytes()).toString();
          return { pages: [pageOf(from, { words: [{ text: `${text} ${contentType} ${to}`, box }] })] };
        },
      },
      reader,
    );
    const [page] = await service.analyse(file, { from: 1, to: 1 }, rememberCalls());
    expect(page?.text.words.map(({ text }) => text)).toEqual(["%PDF", "application/pdf", "1"]);
  });

  test.for([
    ["too few pages", [pageOf(2)], "it gave 2"],
    ["other pages", [pageOf(2), pageOf(4)], "it gave 2, 4"],
    ["a page twice", [pageOf(2), pageOf(2)], "it gave 2, 2"],
    ["a page of no size", [pageOf(2, { width: 0 }), pageOf(3)], "pages.0.width"],
  ] as const)("with %s is refused", async ([_, pages, problem]) => {
    const failure = await analyse([...pages]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "BAD_ANSWER", message: expect.stringContaining(problem) });
  });
});
