/** Embeddings over OpenAI's protocol, against a server that speaks it. */
import { afterEach, describe, expect, it } from "vitest";
import type { Embedder } from "../../src/providers/embeddings/embedder.ts";
import { openAzureEmbedder, openOpenAiEmbedder } from "../../src/providers/embeddings/open-openai-embedder.ts";
import { type FakeOpenAiOptions, startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { rememberCalls } from "../support/remembered-calls.ts";

const apiKey = "invented-key";
let service: FakeService;

afterEach(() => service.close());

async function open(
  options: FakeOpenAiOptions,
  settings: Partial<Parameters<typeof openOpenAiEmbedder>[0]> = {},
): Promise<Embedder> {
  service = await startFakeOpenAi({ apiKey, ...options });
  return openOpenAiEmbedder({ baseUrl: `${service.url}/v1/`, apiKey, model: "small", ...settings });
}

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  return one?.reduce((sum, value, index) => sum + value * (other?.[index] ?? 0), 0) ?? 0;
}

function bodies(): Record<string, unknown>[] {
  return service.requests.map(({ body }) => JSON.parse(body.toString()));
}

describe("vectors", () => {
  it("come in the order of the texts, of length 1, with like texts near", async () => {
    const embedder = await open({ plan: [{ wrong: "wrong-order" }] });
    const texts = ["the red fox runs home", "a red fox runs to its home", "quarterly revenue by region"];
    const vectors = await embedder.embed(texts, rememberCalls());
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(cosine(vectors[0], vectors[1])).toBeGreaterThan(0.5);
    expect(cosine(vectors[0], vectors[2])).toBeLessThan(0.3);
    const [alone] = await embedder.embed(texts.slice(0, 1), rememberCalls());
    expect(cosine(alone, vectors[0])).toBeCloseTo(1, 5);
  });

  it("are the same from a server that gives numbers only, which is asked for base64 once", async () => {
    const [packed] = await (await open({})).embed(["some text"], rememberCalls());
    await service.close();
    const embedder = await open({ unknown: ["base64"] });
    const call = rememberCalls();
    const [numbers] = await embedder.embed(["some text"], call);
    await embedder.embed(["another text"], call);
    expect([...(numbers ?? [])]).toEqual([...(packed ?? [])]);
    expect(bodies().map((body) => body.encoding_format)).toEqual(["base64", "float", "float"]);
  });

  it("are paid for once, with their tokens and cost", async () => {
    const embedder = await open({}, { prices: { inputPerMillion: 20 } });
    const call = rememberCalls();
    const first = await embedder.embed(["one", "two"], call);
    const again = await embedder.embed(["one", "two"], call);
    expect(again).toEqual(first);
    expect(service.calls()).toMatchObject([{ requests: 1, paid: 1 }]);
    const [[key, paid] = []] = [...call.paid];
    expect(paid).toMatchObject({ tokensIn: 2, costMicros: 40 });
    expect(service.requests[0]?.headers["idempotency-key"]).toBe(key);
  });

  it("have the dimensions asked for, which are part of the model's name", async () => {
    const embedder = await open({}, { model: "text-embedding-3-large", dimensions: 256 });
    expect(embedder.model).toBe("openai/text-embedding-3-large/256");
    const [vector] = await embedder.embed(["a text"], rememberCalls());
    expect(vector).toHaveLength(256);
    expect(bodies()[0]?.dimensions).toBe(256);
  });

  it("of the usual dimensions are the same model, asked for or not", async () => {
    const named = await open({}, { model: "text-embedding-3-small", dimensions: 1536 });
    expect(named.model).toBe("openai/text-embedding-3-small/1536");
    expect(openOpenAiEmbedder({ baseUrl: service.url, model: "text-embedding-3-small" }).model).toBe(named.model);
  });

  it("of other dimensions than before are refused for good", async () => {
    const embedder = await open({ dimensions: 16 });
    await embedder.embed(["a text"], rememberCalls());
    const raw = JSON.stringify({ data: [{ index: 0, embedding: [1, 2, 3] }] });
    service.plan({ raw });
    const embedding = embedder.embed(["another text"], rememberCalls());
    await expect(embedding).rejects.toMatchObject({ code: "WRONG_DIMENSIONS", retryable: false });
  });

  it("of texts too long or empty are those of what can be sent", async () => {
    const embedder = await open({}, { maxInputTokens: 10 });
    const vectors = await embedder.embed(["word ".repeat(50), "  ", "Ünïcödé 漢字 ".repeat(9)], rememberCalls());
    expect(vectors).toHaveLength(3);
    const [long = "", empty, wide = ""] = bodies().flatMap(({ input }) => input as string[]);
    expect("word ".repeat(50)).toContain(long);
    expect(long.length).toBeGreaterThan(30);
    expect(long.length).toBeLessThan(60);
    expect(empty).not.toBe("");
    expect(wide).not.toContain("\uFFFD");
    expect("Ünïcödé 漢字 ".repeat(9).startsWith(wide)).toBe(true);
  });
});

describe("Azure", () => {
  it.each([
    ["2024-10-21", "/openai/deployments/my-embeddings/embeddings", "2024-10-21"],
    ["preview", "/openai/v1/embeddings", "preview"],
    ["v1", "/openai/v1/embeddings", null],
  ])("is asked under its own address, version %s", async (apiVersion, path, version) => {
    service = await startFakeOpenAi({ apiKey });
    const embedder = openAzureEmbedder({ endpoint: service.url, apiKey, deployment: "my-embeddings", apiVersion });
    expect(embedder).toMatchObject({ provider: "azure", model: "azure/my-embeddings" });
    expect(await embedder.embed(["a text"], rememberCalls())).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.path).toBe(path);
    expect(request?.query.get("api-version")).toBe(version);
    expect(request?.headers.authorization).toBeUndefined();
    expect(bodies()[0]?.model).toBe("my-embeddings");
  });
});
