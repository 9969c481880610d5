/** What every call to a paid service makes of the ways in which services fail: one typed error each, and no key in it. */
import { afterEach, describe, expect, it } from "vitest";
import { DocmillError } from "../../src/errors.ts";
import { openOpenAiEmbedder } from "../../src/providers/embeddings/open-openai-embedder.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService, Misbehaviour } from "../support/fake-service.ts";
import { findClosedPort } from "../support/find-closed-port.ts";
import { rememberCalls } from "../support/remembered-calls.ts";
import { until } from "../support/until.ts";

const apiKey = "sk-invented-0123456789";
let service: FakeService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function failureOf(misbehaviour: Misbehaviour, timeoutMs = 30_000): Promise<DocmillError> {
  service = await startFakeOpenAi({ plan: [misbehaviour], dimensions: 8 });
  const embedder = openOpenAiEmbedder({ baseUrl: `${service.url}/v1`, apiKey, model: "small", timeoutMs });
  const call = rememberCalls();
  const error = await embedder.embed(["one text"], call).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DocmillError);
  expect(call.paid.size).toBe(0);
  // What failed is not remembered: the next try goes out, and succeeds.
  expect(await embedder.embed(["one text"], call)).toHaveLength(1);
  return error as DocmillError;
}

describe("an answer that is an error", () => {
  const soon = new Date(Date.now() + 3_600_000).toUTCString();
  it.each<[string, Misbehaviour, Partial<DocmillError>]>([
    ["429 with seconds", { status: 429, headers: { "retry-after": "7" } }, { code: "RATE_LIMIT", retryAfterMs: 7_000 }],
    [
      "429 with milliseconds",
      { status: 429, headers: { "retry-after-ms": "250" } },
      { code: "RATE_LIMIT", retryAfterMs: 250 },
    ],
    ["500", { status: 500 }, { code: "SERVICE_UNAVAILABLE" }],
    ["503", { status: 503, headers: { "retry-after": "2" } }, { code: "SERVICE_UNAVAILABLE", retryAfterMs: 2_000 }],
    ["529", { status: 529 }, { code: "AI_OVERLOADED" }],
    ["504", { status: 504 }, { code: "TIMEOUT" }],
  ])("%s can be tried again", async (_, misbehaviour, expected) => {
    expect(await failureOf(misbehaviour)).toMatchObject({ ...expected, retryable: true });
  });

  it("429 with a date can be tried again then", async () => {
    const { code, retryAfterMs } = await failureOf({ status: 429, headers: { "retry-after": soon } });
    expect(code).toBe("RATE_LIMIT");
    expect(retryAfterMs).toBeGreaterThan(3_000_000);
  });

  it.each<[number, string, string]>([
    [400, "invalid_request", "HTTP_400"],
    [403, "forbidden", "HTTP_403"],
    [404, "model_not_found", "HTTP_404"],
    [429, "insufficient_quota", "QUOTA_EXCEEDED"],
    [400, "content_filter", "MODEL_REFUSED"],
  ])("%i %s is final: %s", async (status, reason, code) => {
    const body = { error: { code: reason, message: "No, because." } };
    const error = await failureOf({ status, body });
    expect(error).toMatchObject({ code, retryable: false });
    expect(error.message).toContain("No, because.");
  });

  it("does not follow a redirect with the key", async () => {
    const elsewhere = await startFakeOpenAi();
    const location = `${elsewhere.url}/v1/embeddings`;
    expect(await failureOf({ status: 307, headers: { location } })).toMatchObject({ code: "HTTP_307" });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it("never repeats a key that the service repeats", async () => {
    const message = `Incorrect API key ${apiKey} (like sk-other***7890), header Bearer ${apiKey}.`;
    const error = await failureOf({ status: 401, body: { error: { message } } });
    expect(error.message).toContain("Incorrect API key [hidden]");
    expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toMatch(/sk-|0123456789|7890/);
  });
});

describe("a connection that fails", () => {
  it.each<[Misbehaviour & string]>([["cut-before-headers"], ["cut-after-headers"], ["cut-mid-body"]])(
    "%s is a network error",
    async (misbehaviour) => {
      expect(await failureOf(misbehaviour)).toMatchObject({ code: "NETWORK_ERROR", retryable: true });
    },
  );

  it.each<[Misbehaviour & string]>([["hang"], ["drip"]])("%s ends with the time limit", async (misbehaviour) => {
    expect(await failureOf(misbehaviour, 1_000)).toMatchObject({ code: "TIMEOUT", retryable: true });
  });

  it("is a network error when nobody listens", async () => {
    const port = await findClosedPort();
    const embedder = openOpenAiEmbedder({ baseUrl: `http://127.0.0.1:${port}`, model: "small" });
    const embedding = embedder.embed(["one text"], rememberCalls());
    await expect(embedding).rejects.toMatchObject({ code: "NETWORK_ERROR", retryable: true });
    await expect(embedding).rejects.toThrow("ECONNREFUSED");
  });

  it("ends at once, with the job's own reason, when the job does", async () => {
    service = await startFakeOpenAi({ plan: ["hang"] });
    const job = new AbortController();
    const embedder = openOpenAiEmbedder({ baseUrl: service.url, model: "small" });
    const embedding = embedder.embed(["one text"], rememberCalls(job.signal));
    const ended = expect(embedding).rejects.toThrow("cancelled by a person");
    await until(() => service?.requests.length === 1);
    job.abort(new Error("cancelled by a person"));
    await ended;
  });
});

describe("an answer that makes no sense", () => {
  it.each<[string, Misbehaviour]>([
    ["is no JSON", { raw: "<html>Bad gateway</html>" }],
    ["is other JSON", { raw: `{"hello":[]}` }],
    ["has too few vectors", { wrong: "wrong-count" }],
    ["has a vector of NaN", { wrong: "nan" }],
    ["has a vector of zeros", { wrong: "zero" }],
  ])("%s: it can be tried again", async (_, misbehaviour) => {
    expect(await failureOf(misbehaviour)).toMatchObject({ code: "BAD_ANSWER", retryable: true });
  });
});
