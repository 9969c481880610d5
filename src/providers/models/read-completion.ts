/** Reads the answer to POST /chat/completions: the text and its cost, or the reason why there is none. */
import { z } from "zod";
import { RetryableError, TerminalError } from "../../errors.ts";
import { toStorable } from "../remote/read-json-answer.ts";

const completionShape = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.int().optional(), completion_tokens: z.int().optional() }).nullish(),
});

export interface Completion {
  text: string;
  tokensIn: number | undefined;
  tokensOut: number | undefined;
}

export function readCompletion(answer: unknown, model: string): Completion {
  const read = completionShape.safeParse(answer);
  if (!read.success) throw new RetryableError("BAD_ANSWER", `${model} answered without a message.`);
  const { usage } = read.data;
  const { message, finish_reason: ending } = read.data.choices[0] ?? { message: {} };
  if (message.refusal) {
    throw new TerminalError(
      "MODEL_REFUSED",
      `${model} refused to answer: ${message.refusal.slice(0, 200).toWellFormed()}`,
    );
  }
  if (ending === "content_filter") throw new TerminalError("MODEL_REFUSED", `A content filter cut off ${model}.`);
  if (ending === "length") {
    // The same question would be cut at the same place.
    throw new TerminalError("ANSWER_CUT", `The answer of ${model} was longer than it may be and was cut.`);
  }
  if (!message.content?.trim()) throw new RetryableError("BAD_ANSWER", `${model} answered with nothing.`);
  return {
    text: message.content,
    tokensIn: usage?.prompt_tokens,
    tokensOut: usage?.completion_tokens,
  };
}

/** The JSON in a text, which may stand in a fence, between polite words or after the model's thoughts. */
export function findJson(text: string): unknown {
  const spoken = text.replace(/^\s*<think>[\s\S]*?<\/think>/, "");
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(spoken)?.[1];
  const bare = spoken.slice(spoken.indexOf("{"), spoken.lastIndexOf("}") + 1);
  for (const candidate of [spoken, fenced, bare]) {
    if (!candidate) continue;
    try {
      return JSON.parse(candidate, toStorable);
    } catch {
      // The next candidate may be better.
    }
  }
  return undefined;
}
