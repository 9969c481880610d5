/**
 * Plays OpenAI and Azure OpenAI: embeddings (numbers and base64) and chat completions with a JSON schema. Embeddings are
 * bags of hashed words, so that texts with the same words are near each other; chat answers are made to fit the schema
 * unless the test gives them.
 */
import { createHash } from "node:crypto";
import {
  type FakeAnswer,
  type FakeService,
  type Plan,
  type ServiceRequestSeen,
  startFakeService,
} from "./fake-service.ts";

export interface FakeOpenAiOptions {
  /** Also `{ wrong }`: wrong-count, nan, zero, wrong-order, refusal, length, not-matching, fenced, nothing. */
  plan?: Plan;
  port?: number;
  /** Required of every call: as a bearer token, or in Azure's header below /openai/. */
  apiKey?: string;
  /** Of models whose usual number is not known. */
  dimensions?: number;
  /** Refuses to know these, as older and smaller servers do. */
  unknown?: readonly ("json_schema" | "json_object" | "base64" | "temperature" | "max_completion_tokens")[];
  /** The model's answer; without it one is made to fit the schema. */
  answerChat?: (question: ChatQuestionSeen) => unknown;
}

interface ChatQuestionSeen {
  instructions: string;
  text: string;
  /** Data URLs. */
  images: string[];
  files: string[];
  schema: Schema | undefined;
  /** How many messages there are: more than two when an answer is sent back. */
  messages: number;
}

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Body {
  model?: string;
  input?: string | string[];
  dimensions?: number;
  encoding_format?: string;
  messages?: { role: string; content: unknown }[];
  temperature?: number;
  max_completion_tokens?: number;
  response_format?: { type: string; json_schema?: { schema: Schema } };
}

const usualDimensions: Record<string, number> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
};

export function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeService> {
  return startFakeService({
    plan: options.plan,
    port: options.port,
    refuse: (request) => refuse(request, options),
    answer(request, wrong) {
      const body = JSON.parse(request.body.toString()) as Body;
      return request.path.endsWith("/embeddings") ? embed(body, options, wrong) : chat(body, options, wrong);
    },
  });
}

function refuse(
  { method, path, headers, body, query }: ServiceRequestSeen,
  options: FakeOpenAiOptions,
): FakeAnswer | undefined {
  const azure = path.startsWith("/openai/");
  if (method !== "POST" || !/\/(embeddings|chat\/completions)$/.test(path)) return error(404, `no ${method} ${path}`);
  if (path.includes("/deployments/") && !query.get("api-version")) return error(404, "Resource not found");
  const key = azure ? headers["api-key"] : headers.authorization?.replace(/^Bearer /, "");
  if (options.apiKey && key !== options.apiKey) return error(401, `Incorrect API key provided: ${key}.`);
  const asked = JSON.parse(body.toString()) as Body;
  for (const unknown of options.unknown ?? []) {
    const used = {
      json_schema: asked.response_format?.type === "json_schema" && "response_format of type json_schema",
      json_object: asked.response_format?.type === "json_object" && "response_format of type json_object",
      base64: asked.encoding_format === "base64" && "encoding_format base64",
      temperature: asked.temperature !== undefined && "temperature",
      max_completion_tokens: asked.max_completion_tokens !== undefined && "max_completion_tokens",
    }[unknown];
    if (used) return error(400, `${used} is not supported`);
  }
  return undefined;
}

function error(status: number, message: string): FakeAnswer {
  return { status, body: { error: { message, type: "invalid_request_error", code: null } } };
}

function embed(body: Body, options: FakeOpenAiOptions, wrong: string | undefined): FakeAnswer {
  const texts = typeof body.input === "string" ? [body.input] : (body.input ?? []);
  if (texts.length === 0 || texts.some((text) => text === "")) return error(400, "'$.input' is invalid.");
  const usual = usualDimensions[body.model ?? ""] ?? options.dimensions ?? 256;
  const vectors = texts.map((text) => hashWords(text, body.dimensions ?? usual));
  if (wrong === "nan") vectors[0]?.fill(Number.NaN);
  if (wrong === "zero") vectors[0]?.fill(0);
  let data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: body.encoding_format === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector],
  }));
  if (wrong === "wrong-order") data = data.reverse();
  if (wrong === "wrong-count") data.pop();
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { body: { object: "list", data, model: body.model, usage: { prompt_tokens: tokens, total_tokens: tokens } } };
}

/** Each word points in a direction of its own; a text points where most of its words do. */
function hashWords(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["-"]) {
    const hash = createHash("sha256").update(word).digest();
    for (let at = 0; at < 8; at += 4) {
      const place = hash.readUInt32LE(at) % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash.readUInt8(at + 8) % 2 ? 1 : -1);
    }
  }
  // Longer than 1, as no one promises otherwise.
  return vector.every((value) => value === 0) ? vector.fill(1) : vector;
}

function chat(body: Body, options: FakeOpenAiOptions, wrong: string | undefined): FakeAnswer {
  const question = readQuestion(body);
  const answer = options.answerChat ? options.answerChat(question) : fitSchema(question.schema ?? {}, question.text);
  const json = typeof answer === "string" ? answer : JSON.stringify(answer);
  const contents: Record<string, string | null> = {
    refusal: null,
    nothing: "",
    length: json.slice(0, json.length / 2),
    "not-matching": `{"unexpected":true}`,
    fenced: `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`,
  };
  const content = wrong !== undefined && wrong in contents ? contents[wrong] : json;
  const message = { role: "assistant", content, refusal: wrong === "refusal" ? "I cannot help with that." : null };
  const usage = {
    prompt_tokens: countTokens(question.instructions + question.text),
    completion_tokens: countTokens(json),
  };
  const finish = wrong === "length" ? "length" : "stop";
  return {
    body: {
      object: "chat.completion",
      model: body.model,
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    },
  };
}

function readQuestion({ messages = [], response_format }: Body): ChatQuestionSeen {
  const parts = (role: string) =>
    messages
      .filter((message) => message.role === role)
      .flatMap(({ content }) =>
        typeof content === "string" ? [{ type: "text", text: content }] : (content as Part[]),
      );
  const texts = (role: string) => parts(role).flatMap((part) => part.text ?? []);
  const instructions = texts("system").join("\n");
  return {
    instructions,
    text: texts("user").join("\n"),
    images: parts("user").flatMap((part) => part.image_url?.url ?? []),
    files: parts("user").flatMap((part) => part.file?.file_data ?? []),
    schema: response_format?.json_schema?.schema ?? findSchema(instructions),
    messages: messages.length,
  };
}

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
  file?: { file_data: string };
}

/** Where the schema is said in words, it is the last line. */
function findSchema(instructions: string): Schema | undefined {
  const last = instructions.trim().split("\n").at(-1) ?? "";
  return last.startsWith("{") ? (JSON.parse(last) as Schema) : undefined;
}

function fitSchema(schema: Schema, text: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return fitSchema(schema.anyOf.find(({ type }) => type !== "null") ?? { type: "null" }, text);
  switch (schema.type) {
    case "object": {
      const fitted = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fitSchema(inner, text)]);
      return Object.fromEntries(fitted);
    }
    case "array":
      return schema.items ? [fitSchema(schema.items, text)] : [];
    case "string":
      return text.trim().split(/\s+/).slice(0, 8).join(" ") || "text";
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}

function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
