/** Azure Document Intelligence, against a server that speaks its protocol: what is paid for is never paid for twice. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { RetryableError } from "../../src/errors.ts";
import {
  type AzureDocumentIntelligenceOptions,
  openAzureDocumentIntelligence,
} from "../../src/providers/extraction/azure-document-intelligence.ts";
import type { DocumentFile } from "../../src/providers/extraction/extraction-service.ts";
import {
  describeUpload,
  type FakeDocumentIntelligence,
  type FakeDocumentIntelligenceOptions,
  startFakeDocumentIntelligence,
} from "../support/fake-document-intelligence.ts";
import type { Misbehaviour } from "../support/fake-service.ts";
import { rememberCalls } from "../support/remembered-calls.ts";
import { until } from "../support/until.ts";

const apiKey = "invented-key";
const bytes = Buffer.alloc(150_000, "page ");
const threePages = { from: 4, to: 6 };
let service: FakeDocumentIntelligence;

afterEach(() => service.close());

async function open(
  options: FakeDocumentIntelligenceOptions = {},
  settings: Partial<AzureDocumentIntelligenceOptions> = {},
) {
  service = await startFakeDocumentIntelligence({ apiKey, ...options });
  return openAzureDocumentIntelligence({ endpoint: service.url, apiKey, ...settings });
}

function file(content = bytes, contentType = "application/pdf"): DocumentFile {
  return {
    sha256: createHash("sha256").update(content).digest("hex"),
    contentType,
    size: content.length,
    // In pieces, as from a disk.
    open: async () => Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]),
  };
}

function polls(): number {
  return service.requests.filter(({ method }) => method === "GET").length;
}

describe("an analysis", () => {
  it("sends the file once, waits for the result and maps it", async () => {
    const azure = await open({ pollsUntilDone: 3 }, { pricePerThousandPages: 10 });
    expect(azure).toMatchObject({ name: "azure prebuilt-layout", pagesPerCall: 10 });
    const call = rememberCalls();
    const pages = await azure.analyse(file(), threePages, call);
    expect(pages.map(({ text }) => [text.page, text.width, text.height, text.source])).toEqual([
      [4, 612, 792, "azure"],
      [5, 612, 792, "azure"],
      [6, 612, 792, "azure"],
    ]);
    expect(pages[1]?.blocks.map(({ kind }) => kind)).toEqual([
      "heading",
      "paragraph",
      "table",
      "paragraph",
      "paragraph",
    ]);
    expect(pages[1]?.fields).toMatchObject([
      { key: "File size", value: "150000 bytes", page: 5, confidence: 0.9, source: "azure" },
    ]);
    const [submission] = service.requests;
    expect(submission?.path).toBe("/documentintelligence/documentModels/prebuilt-layout:analyze");
    expect(Object.fromEntries(submission?.query ?? [])).toEqual({
      "api-version": "2024-11-30",
      pages: "4-6",
      features: "keyValuePairs",
      stringIndexType: "utf16CodeUnit",
    });
    expect(submission?.headers["content-length"]).toBe("150000");
    expect(service.uploads()).toMatchObject([{ sha256: file().sha256, size: 150_000, pages: [4, 5, 6], times: 1 }]);
    expect(polls()).toBe(4);
    expect([...call.paid.values()].map(({ costMicros }) => costMicros)).toEqual([30_000, undefined]);
  });

  it("is remembered: neither the file nor a poll goes out again", async () => {
    const azure = await open();
    const call = rememberCalls();
    const first = await azure.analyse(file(), threePages, call);
    const before = service.requests.length;
    expect(await azure.analyse(file(), threePages, call)).toEqual(first);
    expect(service.requests).toHaveLength(before);
  });

  it("does not ask again before it was asked to", async () => {
    const azure = await open({ pollHeaders: { "retry-after": "3600" } }, { pollTimeoutMs: 20_000 });
    const analysing = azure.analyse(file(), threePages, rememberCalls());
    await expect(analysing).rejects.toMatchObject({ code: "TIMEOUT", retryable: true });
    expect(polls()).toBe(1);
  });

  it("goes on with the operation it has paid for when it was ended in between", async () => {
    const azure = await open({ plan: [undefined, "hang"] });
    const job = new AbortController();
    const { paid, ...call } = rememberCalls(job.signal);
    const ended = expect(azure.analyse(file(), threePages, call)).rejects.toThrow("ended");
    await until(() => polls() === 1);
    job.abort(new Error("ended"));
    await ended;
    expect(paid.size).toBe(1);
    expect(await azure.analyse(file(), threePages, rememberCalls(undefined, paid))).toHaveLength(3);
    expect(service.uploads()).toMatchObject([{ times: 1 }]);
  });

  it("submits anew what the service has forgotten or failed at since", async () => {
    const azure = await open();
    const call = rememberCalls();
    service.plan(undefined, { status: 401, body: { error: { code: "401", message: "key rotated" } } });
    await expect(azure.analyse(file(), threePages, call)).rejects.toMatchObject({ code: "HTTP_401" });
    service.forget();
    expect(await azure.analyse(file(), threePages, call)).toHaveLength(3);
    expect(service.uploads()).toMatchObject([{ times: 2 }]);
  });

  it("that fails is left to the job's retry, which submits it once more each time", async () => {
    const azure = await open({ plan: [undefined, { wrong: "failed" }] });
    const call = rememberCalls();
    await expect(azure.analyse(file(), threePages, call)).rejects.toBeInstanceOf(RetryableError);
    expect(service.uploads()).toMatchObject([{ times: 1 }]);
    // The failed operation is asked once more, then forgotten about.
    service.plan({ wrong: "failed" });
    expect(await azure.analyse(file(), threePages, call)).toHaveLength(3);
    expect(service.uploads()).toMatchObject([{ times: 2 }]);
  });

  it("of a file Azure cannot read is final", async () => {
    const azure = await open({ plan: [undefined, { wrong: "invalid" }] });
    const analysing = azure.analyse(file(), threePages, rememberCalls());
    await expect(analysing).rejects.toMatchObject({ code: "ANALYSIS_FAILED", retryable: false });
  });

  it.each<[Misbehaviour]>([
    [{ status: 429, headers: { "retry-after": "0" } }],
    [{ status: 503 }],
    ["cut-mid-body"],
    ["cut-before-headers"],
    [{ raw: "not JSON" }],
  ])("outlasts %j while it waits", async (trouble) => {
    const azure = await open({ plan: [undefined, trouble, trouble] });
    expect(await azure.analyse(file(), threePages, rememberCalls())).toHaveLength(3);
    expect(service.uploads()).toMatchObject([{ times: 1 }]);
  });

  it.each<[Misbehaviour, string]>([
    [{ status: 429, headers: { "retry-after": "3" } }, "RATE_LIMIT"],
    ["cut-before-headers", "NETWORK_ERROR"],
    [{ wrong: "no-location" }, "BAD_ANSWER"],
  ])("whose submission meets %j is left to the job's retry", async (trouble, code) => {
    const azure = await open({ plan: [trouble] });
    const call = rememberCalls();
    await expect(azure.analyse(file(), threePages, call)).rejects.toMatchObject({ code, retryable: true });
    expect(call.paid.size).toBe(0);
  });

  it("says so when pages are missing", async () => {
    const azure = await open({ analyse: (upload) => describeUpload({ ...upload, pages: [4, 5] }) });
    const analysing = azure.analyse(file(), threePages, rememberCalls());
    await expect(analysing).rejects.toMatchObject({ code: "PAGES_MISSING", retryable: false });
  });

  it("fails with the file's own error when the file cannot be read", async () => {
    const azure = await open();
    const broken: DocumentFile = {
      ...file(),
      open: async () =>
        Readable.from(
          (async function* () {
            yield bytes.subarray(0, 1_000);
            throw new RetryableError("STORAGE_UNAVAILABLE", "The blob is out of reach.");
          })(),
        ),
    };
    const analysing = azure.analyse(broken, threePages, rememberCalls());
    await expect(analysing).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
  });

  it("of an image names no pages, and of an old version has the old address", async () => {
    const settings = { model: "prebuilt-document", apiVersion: "2023-07-31" };
    const azure = await open({}, settings);
    await azure.analyse(file(bytes, "image/png"), { from: 1, to: 1 }, rememberCalls());
    const [submission] = service.requests;
    expect(submission?.path).toBe("/formrecognizer/documentModels/prebuilt-document:analyze");
    expect(submission?.query.has("pages")).toBe(false);
    expect(submission?.query.has("features")).toBe(false);
  });
});
