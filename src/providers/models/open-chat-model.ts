/**
 * A language model over OpenAI's protocol. The server is asked to hold the model to the schema; one that cannot is told
 * so in words instead.
 */
import type { PaidAnswer } from "../../jobs/ledger.ts";
import { type AzureAddress, type OpenAiAddress, openOpenAiServer } from "../remote/openai-server.ts";
import { costMicros, type Prices } from "../remote/prices.ts";
import type { AnswerSchema } from "./answer-schema.ts";
import { type AskedModel, askForShape, type WrongAnswer } from "./ask-for-shape.ts";
import type { ChatModel, ChatPart, ChatQuestion } from "./chat-model.ts";
import { readCompletion } from "./read-completion.ts";

interface ChatSettings {
  /** For one answer, to its last byte. Node itself gives up after five minutes without a byte. */
  timeoutMs?: number;
  /** Left to the model unless given: some refuse any other than their own. */
  temperature?: number;
  maxOutputTokens?: number;
  prices?: Prices;
}

export type ChatModelOptions = (OpenAiAddress | { azure: AzureAddress }) & ChatSettings;

/** What a server has been found to understand. */
interface Understood {
  format: "json_schema" | "json_object" | "text";
  temperature: boolean;
  limit: "max_completion_tokens" | "max_tokens";
}

interface Message {
  role: "system" | "user" | "assistant";
  content: unknown;
}

const defaultTimeoutMs = 180_000;
const maxAnswerBytes = 16 * 2 ** 20;

export function openChatModel(options: ChatModelOptions): ChatModel {
  const { timeoutMs = defaultTimeoutMs, temperature, maxOutputTokens, prices } = options;
  const server = openOpenAiServer("azure" in options ? options.azure : options);
  const understood: Understood = { format: "json_schema", temperature: true, limit: "max_completion_tokens" };

  const asked: AskedModel = {
    provider: server.provider,
    model: server.model,
    parameters: { temperature, maxOutputTokens },
    ask(question, schema, key, signal, wrong) {
      const messages: Message[] = [
        instruct(question, schema),
        { role: "user", content: question.input.map(toContent) },
        ...(wrong ? toRepair(wrong) : []),
      ];
      return ask(question.name, messages, schema, key, signal);
    },
  };

  return {
    provider: server.provider,
    model: server.model,
    complete: (question, call) => askForShape(asked, question, call),
  };

  async function ask(
    name: string,
    messages: readonly Message[],
    schema: AnswerSchema,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<PaidAnswer<string>> {
    let tried = understood;
    const body = () => {
      tried = { ...understood };
      return {
        messages,
        ...responseFormat(name, schema),
        ...(temperature !== undefined && tried.temperature && { temperature }),
        ...(maxOutputTokens !== undefined && { [tried.limit]: maxOutputTokens }),
      };
    };
    const answer = await server.post("chat/completions", body, {
      idempotencyKey,
      timeoutMs,
      maxAnswerBytes,
      signal,
      adapt: (reason) => adapt(reason, tried),
    });
    const { text, tokensIn, tokensOut } = readCompletion(answer, server.model);
    return { answer: text, tokensIn, tokensOut, costMicros: costMicros(prices, tokensIn, tokensOut) };
  }

  function responseFormat(name: string, { sent, strict }: AnswerSchema): object {
    if (understood.format === "text") return {};
    if (understood.format === "json_object") return { response_format: { type: "json_object" } };
    const known = name.replace(/[^\w-]/g, "_").slice(0, 64);
    return { response_format: { type: "json_schema", json_schema: { name: known, strict, schema: sent } } };
  }

  /** The schema is said in words too: servers that do not enforce it say nothing about that. */
  function instruct({ instructions }: ChatQuestion<unknown>, { sent }: AnswerSchema): Message {
    const shape = `Answer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(sent)}`;
    return { role: "system", content: `${instructions}\n\n${shape}` };
  }

  /** Calls that run side by side may be refused for the same thing: only the first of them changes it. */
  function adapt(reason: string, tried: Understood): boolean {
    if (temperature !== undefined && tried.temperature && /temperature/i.test(reason)) {
      understood.temperature = false;
    } else if (tried.limit === "max_completion_tokens" && /max_completion_tokens/i.test(reason)) {
      understood.limit = "max_tokens";
    } else if (tried.format !== "text" && /response_format|json_schema|json_object|structured.output/i.test(reason)) {
      if (understood.format === tried.format)
        understood.format = tried.format === "json_schema" ? "json_object" : "text";
    } else return false;
    return true;
  }
}

function toRepair({ answer, problem }: WrongAnswer): Message[] {
  return [
    { role: "assistant", content: answer },
    { role: "user", content: `That answer is wrong:\n${problem}\nGive the whole answer again, corrected.` },
  ];
}

function toContent(part: ChatPart): object {
  if (part.type === "text") return part;
  const url = `data:${part.mediaType};base64,${Buffer.from(part.data).toString("base64")}`;
  return part.type === "image"
    ? { type: "image_url", image_url: { url, detail: "high" } }
    : { type: "file", file: { filename: part.filename, file_data: url } };
}
