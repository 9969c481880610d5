/**
 * A server that speaks OpenAI's protocol, at OpenAI, at Azure or anywhere else: the addresses and keys differ, what is
 * sent and answered does not. What a server refuses to understand is left out from then on (see `adapt`).
 */
import { readJsonAnswer, readServiceError } from "./read-json-answer.ts";
import { type ServiceRequest, sendRequest } from "./send-request.ts";

/** Any server with OpenAI's paths below `baseUrl`. */
export interface OpenAiAddress {
  /** For example `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey?: string;
  model: string;
  /**
   * The name under which answers are kept. Give servers that have different models under the same name different names
   * here: an answer is found again by provider and model, not by address.
   */
  provider?: string;
}

export interface AzureAddress {
  /** For example `https://name.openai.azure.com`. */
  endpoint: string;
  apiKey: string;
  deployment: string;
  /** A date (`2024-10-21`), or `v1` or `preview` for the paths without one. */
  apiVersion: string;
}

interface PostOptions {
  idempotencyKey: string;
  timeoutMs: number;
  maxAnswerBytes: number;
  signal: AbortSignal;
  /** Told what the server refused (400 or 422): true if the body is different now and the call should be made again. */
  adapt?: (reason: string) => boolean;
}

export interface OpenAiServer {
  readonly provider: string;
  readonly model: string;
  /** What the server answered, as JSON. The body is asked for anew after each refusal it was adapted to. */
  post(path: "embeddings" | "chat/completions", body: () => unknown, options: PostOptions): Promise<unknown>;
}

/** Three for the form of the answer, temperature and length. */
const mostAdaptions = 4;

export function openOpenAiServer(address: OpenAiAddress | AzureAddress): OpenAiServer {
  const { provider, model, urlOf, headers, secrets } = "endpoint" in address ? azure(address) : openAi(address);
  return {
    provider,
    model,
    async post(path, body, { adapt, ...options }) {
      const url = urlOf(path);
      for (let adaptions = 0; ; adaptions++) {
        const json = { model, ...(body() as object) };
        // Another body under the same key would be refused for that.
        const idempotencyKey = adaptions > 0 ? `${options.idempotencyKey}-${adaptions}` : options.idempotencyKey;
        const request: ServiceRequest = {
          ...options,
          idempotencyKey,
          service: url.host,
          url,
          headers,
          secrets,
          body: { json },
        };
        const answer = await sendRequest(request);
        const refused = answer.status === 400 || answer.status === 422;
        if (refused && adaptions < mostAdaptions && adapt?.(readServiceError(answer.text).message ?? answer.text))
          continue;
        return readJsonAnswer(request, answer);
      }
    },
  };
}

function openAi({ baseUrl, apiKey, model, provider = "openai" }: OpenAiAddress) {
  const base = new URL(baseUrl);
  return {
    provider,
    model,
    urlOf: (path: string) => below(base, path),
    headers: apiKey ? { authorization: `Bearer ${apiKey}` } : ({} as Record<string, string>),
    secrets: apiKey ? [apiKey] : [],
  };
}

function azure({ endpoint, apiKey, deployment, apiVersion }: AzureAddress) {
  const base = new URL(endpoint);
  const dated = apiVersion !== "v1" && apiVersion !== "preview";
  const folder = dated ? `openai/deployments/${encodeURIComponent(deployment)}` : "openai/v1";
  return {
    provider: "azure",
    model: deployment,
    urlOf(path: string) {
      const url = below(base, `${folder}/${path}`);
      if (apiVersion !== "v1") url.searchParams.set("api-version", apiVersion);
      return url;
    },
    headers: { "api-key": apiKey },
    secrets: [apiKey],
  };
}

/** Addresses are given with and without a slash at the end. */
function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}
