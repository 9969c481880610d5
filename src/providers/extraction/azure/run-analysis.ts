/**
 * Has Azure Document Intelligence analyse pages of a file: submits it, then asks until the result is there. The ledger
 * keeps both, so that whoever goes on after a crash asks for the operation that was paid for, and the mapped result is
 * there for every document with the same bytes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DocmillError, RetryableError, retryAfterMs, TerminalError } from "../../../errors.ts";
import { ledgerKey } from "../../../jobs/ledger.ts";
import type { CallContext } from "../../call-context.ts";
import { readJsonAnswer, requireSuccess } from "../../remote/read-json-answer.ts";
import { type ServiceAnswer, type ServiceRequest, sendRequest } from "../../remote/send-request.ts";
import type { AnalysedPage, DocumentFile } from "../extraction-service.ts";
import { analyzeOperation } from "./analyze-result.ts";
import { mapAnalyzeResult } from "./map-analyze-result.ts";

export interface AzureAnalysisOptions {
  /** For example `https://name.cognitiveservices.azure.com`. */
  endpoint: string;
  apiKey: string;
  apiVersion?: string;
  /** For sending the file; for asking how far it is there is a shorter one. */
  timeoutMs?: number;
  /** How long to wait for one result. After that the job's retry goes on waiting for the same operation. */
  pollTimeoutMs?: number;
  /** In the currency Azure bills in. */
  pricePerThousandPages?: number;
}

export interface AnalysisOrder {
  file: DocumentFile;
  pages: { from: number; to: number };
  /** Of an image, where it is known. */
  dpi?: number;
}

interface Operation {
  id: string;
}

const defaultApiVersion = "2024-11-30";
const defaultTimeoutMs = 300_000;
const defaultPollTimeoutMs = 600_000;
const askTimeoutMs = 60_000;
const maxAnswerBytes = 256 * 2 ** 20;
const firstWaitMs = 500;
const longestWaitMs = 5_000;
const longestAskedWaitMs = 60_000;
/** Operations of the same pages that have failed or been forgotten, before this is called hopeless. */
const mostSubmissions = 10;
/** Changes when the same answer would be mapped to something else. */
const mappingVersion = 1;

/** Only these have pages to choose from. */
const pagedTypes = new Set(["application/pdf", "image/tiff"]);
/** What Azure says of files it will never read. */
const hopelessCodes = /^(Invalid|Unsupported|BadRequest|ContentTooLarge|NotFound|Unauthorized|Forbidden)/i;

export function openAzureAnalysis(options: AzureAnalysisOptions & { model: string }) {
  const { apiVersion = defaultApiVersion, model, pollTimeoutMs = defaultPollTimeoutMs } = options;
  const base = new URL(options.endpoint);
  // The service had another name until 2023, and its layout model no key-value pairs.
  const isOld = apiVersion <= "2023-07-31";
  const features = model === "prebuilt-layout" && !isOld ? "keyValuePairs" : undefined;
  const path = `${isOld ? "formrecognizer" : "documentintelligence"}/documentModels/${encodeURIComponent(model)}`;
  const connection = {
    service: base.host,
    headers: { "ocp-apim-subscription-key": options.apiKey },
    secrets: [options.apiKey],
    maxAnswerBytes,
  };

  return {
    async analyse({ file, pages, dpi }: AnalysisOrder, call: CallContext): Promise<AnalysedPage[]> {
      const identity = { provider: "azure", model, input: { sha256: file.sha256, ...pages } };
      const parameters = { purpose: "analysis", apiVersion, features };
      let submittedNow = false;
      for (let submission = 1; submission <= mostSubmissions; submission++) {
        const paid = { ...identity, parameters: { ...parameters, step: "submit", submission } };
        const operation = await call.remember<Operation>({
          ...paid,
          call: async (signal) => {
            submittedNow = true;
            const answer = await submit(file, pages, ledgerKey(paid), signal);
            return { answer, costMicros: priceOf(pages) };
          },
        });
        try {
          return await call.remember<AnalysedPage[]>({
            ...identity,
            parameters: { ...parameters, step: "pages", mappingVersion, dpi },
            call: async (signal) => ({ answer: requirePages(await fetchResult(operation, dpi, signal), pages) }),
          });
        } catch (error) {
          // An operation of an earlier run may be forgotten by now; a fresh one that failed is left to the job's retry.
          if (!(error instanceof OperationLost) || submittedNow) throw error;
        }
      }
      throw new TerminalError(
        "ANALYSIS_FAILED",
        `${base.host} failed to analyse the same pages ${mostSubmissions} times.`,
      );
    },
  };

  async function submit(
    file: DocumentFile,
    pages: AnalysisOrder["pages"],
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<Operation> {
    const url = urlOf(":analyze");
    if (pagedTypes.has(file.contentType)) url.searchParams.set("pages", `${pages.from}-${pages.to}`);
    if (features) url.searchParams.set("features", features);
    url.searchParams.set("stringIndexType", "utf16CodeUnit");
    const request: ServiceRequest = {
      ...connection,
      url,
      idempotencyKey,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      signal,
      body: { file: { size: file.size, contentType: "application/octet-stream", open: () => file.open() } },
    };
    const answer = await sendRequest(request);
    requireSuccess(request, answer);
    const location = answer.headers.get("operation-location");
    const id = location && /\/analyzeResults\/([^/?]+)/i.exec(location)?.[1];
    if (!id)
      throw new RetryableError("BAD_ANSWER", `${base.host} took the file and did not say where its result will be.`);
    return { id };
  }

  /** Asking costs nothing: whatever may pass is waited for, until the time is up. */
  async function fetchResult({ id }: Operation, dpi: number | undefined, signal: AbortSignal): Promise<AnalysedPage[]> {
    // Asked for by its number and not by the address in the answer: the key goes to the configured host only.
    const url = urlOf(`/analyzeResults/${encodeURIComponent(id)}`);
    // Not by the time of day, which may be set back: it would wait for as long.
    const until = performance.now() + pollTimeoutMs;
    let problem: DocmillError | undefined;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
      let askedWaitMs: number | undefined;
      try {
        const request: ServiceRequest = {
          ...connection,
          url,
          timeoutMs: Math.min(askTimeoutMs, pollTimeoutMs),
          signal,
        };
        const answer = await sendRequest(request);
        const result = readOperation(request, answer, dpi);
        if (result) return result;
        askedWaitMs = retryAfterMs(answer.headers.get("retry-after"));
      } catch (error) {
        if (!(error instanceof DocmillError) || !error.retryable || error instanceof OperationLost) throw error;
        problem = error;
        askedWaitMs = error.retryAfterMs;
      }
      const pauseMs = Math.min(askedWaitMs ?? waitMs, longestAskedWaitMs);
      if (performance.now() + pauseMs > until) {
        const message = `${base.host} had no result after ${pollTimeoutMs / 1000} s.`;
        throw new RetryableError("TIMEOUT", message, { cause: problem });
      }
      await delay(pauseMs, undefined, { signal });
    }
  }

  function readOperation(request: ServiceRequest, answer: ServiceAnswer, dpi: number | undefined) {
    // Results are kept for a day.
    if (answer.status === 404 || answer.status === 410)
      throw new OperationLost(`${base.host} does not know the operation any more.`);
    const read = analyzeOperation.safeParse(readJsonAnswer(request, answer));
    if (!read.success)
      throw new RetryableError("BAD_ANSWER", `${base.host} answered with something that is no operation.`);
    const { status, error, analyzeResult } = read.data;
    if (status === "failed" || status === "canceled") {
      const message = `${base.host} could not analyse the file: ${(error?.message ?? error?.code ?? status).slice(0, 200).toWellFormed()}`;
      if (hopelessCodes.test(error?.code ?? ""))
        throw new TerminalError("ANALYSIS_FAILED", message, { details: { code: error?.code } });
      throw new OperationLost(message);
    }
    if (status !== "succeeded") return undefined;
    if (!analyzeResult) throw new RetryableError("BAD_ANSWER", `${base.host} succeeded without a result.`);
    return mapAnalyzeResult(analyzeResult, dpi);
  }

  function urlOf(rest: string): URL {
    const url = new URL(base);
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}${rest}`;
    url.searchParams.set("api-version", apiVersion);
    return url;
  }

  function priceOf({ from, to }: AnalysisOrder["pages"]): number | undefined {
    const { pricePerThousandPages: price } = options;
    return price === undefined ? undefined : Math.round(price * 1_000 * (to - from + 1));
  }
}

/** The operation is gone or has failed for reasons that may pass: the pages must be submitted again. */
class OperationLost extends RetryableError {
  constructor(message: string) {
    super("SERVICE_UNAVAILABLE", message);
  }
}

function requirePages(pages: AnalysedPage[], { from, to }: AnalysisOrder["pages"]): AnalysedPage[] {
  const wanted = pages.filter(({ text }) => text.page >= from && text.page <= to);
  if (wanted.length < to - from + 1) {
    const message = `Azure answered with ${wanted.length} of ${to - from + 1} pages. Its free tier reads two pages of a document.`;
    throw new TerminalError("PAGES_MISSING", message);
  }
  return wanted;
}
