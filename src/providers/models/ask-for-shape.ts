/**
 * Asks a model for an answer of a given shape, whoever the model is. An answer that does not fit is sent back to it once,
 * with what is wrong with it. Both are calls of the ledger.
 */
import { z } from "zod";
import { TerminalError } from "../../errors.ts";
import { ledgerKey, type PaidAnswer } from "../../jobs/ledger.ts";
import type { CallContext } from "../call-context.ts";
import { type AnswerSchema, dropNulls, toAnswerSchema } from "./answer-schema.ts";
import type { ChatQuestion } from "./chat-model.ts";
import { findJson } from "./read-completion.ts";

/** What a model answered first, and what is wrong with it. */
export interface WrongAnswer {
  answer: string;
  problem: string;
}

export interface AskedModel {
  provider: string;
  model: string;
  /** What decides its answers besides the question. */
  parameters?: Record<string, unknown>;
  /** The answer as text. `key` names the call, for services that take an Idempotency-Key. */
  ask(
    question: ChatQuestion<unknown>,
    schema: AnswerSchema,
    key: string,
    signal: AbortSignal,
    wrong?: WrongAnswer,
  ): Promise<PaidAnswer<string>>;
}

const longestProblem = 2_000;

export async function askForShape<Answer>(
  { provider, model, parameters, ask }: AskedModel,
  question: ChatQuestion<Answer>,
  call: CallContext,
): Promise<Answer> {
  const schema = toAnswerSchema(question.schema);
  const { promptVersion, name, instructions, input } = question;
  const paid = {
    provider,
    model,
    parameters: { purpose: "chat", promptVersion, name, schema: schema.plain, ...parameters },
    input: { instructions, parts: input },
  };
  const first = await call.remember({
    ...paid,
    call: (signal) => ask(question, schema, ledgerKey(paid), signal),
  });
  const read = readAnswer(first, question, schema);
  if ("answer" in read) return read.answer;

  const { problem } = read;
  const repair = { ...paid, input: { ...paid.input, wrong: first, problem } };
  const second = await call.remember({
    ...repair,
    call: async (signal) => {
      const answered = await ask(question, schema, ledgerKey(repair), signal, { answer: first, problem });
      // Thrown here, a second wrong answer is not kept: when a person retries, the model gets another chance.
      requireAnswer(answered.answer, question, schema);
      return answered;
    },
  });
  return requireAnswer(second, question, schema);
}

function readAnswer<Answer>(
  text: string,
  { schema }: ChatQuestion<Answer>,
  { plain }: AnswerSchema,
): { answer: Answer } | { problem: string } {
  const json = findJson(text);
  if (json === undefined) return { problem: "It is not JSON." };
  const read = schema.safeParse(dropNulls(json, plain));
  return read.success
    ? { answer: read.data }
    : { problem: z.prettifyError(read.error).slice(0, longestProblem).toWellFormed() };
}

function requireAnswer<Answer>(text: string, question: ChatQuestion<Answer>, schema: AnswerSchema): Answer {
  const read = readAnswer(text, question, schema);
  if ("answer" in read) return read.answer;
  const message = `The model's answer does not fit, also when told so: ${read.problem.slice(0, 300).toWellFormed()}`;
  throw new TerminalError("BAD_ANSWER", message);
}
