/**
 * Asks a provider of the user's own. It gets a time limit and the job's signal; what it throws is told in its name and
 * keeps its kind; what it answers is checked before anyone uses it. A paid one is asked through the ledger.
 */
import { inspect } from "node:util";
import { z } from "zod";
import { DocmillError, RetryableError, TerminalError } from "../../errors.ts";
import { ledgerKey, type PaidAnswer } from "../../jobs/ledger.ts";
import type { CallContext } from "../call-context.ts";
import { toStorable } from "../remote/read-json-answer.ts";
import type { Provider, ProviderCall } from "./own-providers.ts";

interface OwnQuestion<Checked extends AnswerShape, Answer> {
  /** As people know what it does: `OCR`. */
  use: string;
  ask: (call: ProviderCall) => Promise<unknown>;
  /** What it must answer. */
  shape: Checked;
  /** What is kept of that, as JSON. It may refuse it. */
  keep: (checked: z.output<Checked>) => Answer;
}

const defaultTimeoutMs = 60_000;
const longestMessage = 500;

type AnswerShape = z.ZodType<{ usage?: z.output<typeof usageShape> }>;

export const usageShape = z
  .object({ tokensIn: z.int().min(0), tokensOut: z.int().min(0), costMicros: z.int().min(0) })
  .partial()
  .optional();
/** PostgreSQL keeps neither NUL nor half a character. */
export const textShape = z.string().transform((text) => toStorable("", text) as string);

/** `input` is all that decides the answer, besides the provider itself. */
export async function askOwn<Checked extends AnswerShape, Answer>(
  provider: Provider,
  input: unknown,
  question: OwnQuestion<Checked, Answer>,
  call: CallContext,
): Promise<Answer> {
  const identity = { ...ledgerName(provider), parameters: { purpose: question.use }, input };
  return through(provider, call).remember({
    ...identity,
    call: (signal) => askWithin(provider, question, () => ledgerKey(identity), signal),
  });
}

/** The name under which answers of a provider are kept. */
export function ledgerName({ name, version }: Provider): { provider: string; model: string } {
  return { provider: `own:${name}`, model: version };
}

/** Calls as the provider wants them made: remembered if they are paid for, just made otherwise. */
export function through({ paid }: Provider, call: CallContext): CallContext {
  const { signal } = call;
  return paid ? call : { signal, remember: async (asked) => (await asked.call(signal)).answer };
}

/** The answer of a provider is wrong: its author has to mend it, so trying again cannot help. */
export function wrongAnswer(provider: Provider, use: string, problem: string): TerminalError {
  return new TerminalError("BAD_ANSWER", `${whose(provider, use)} answered wrongly: ${problem}.`);
}

function whose({ name }: Provider, use: string): string {
  return `The ${use} provider "${name}" of the config file`;
}

/** One call, within the provider's time. */
export async function askWithin<Checked extends AnswerShape, Answer>(
  provider: Provider,
  { use, ask, shape, keep }: OwnQuestion<Checked, Answer>,
  key: () => string,
  signal: AbortSignal,
): Promise<PaidAnswer<Answer>> {
  signal.throwIfAborted();
  const { timeoutMs = defaultTimeoutMs } = provider;
  const limit = AbortSignal.timeout(timeoutMs);
  const both = AbortSignal.any([signal, limit]);
  // One that does not look at its signal must not hold the job for longer.
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(both.reason);
  both.addEventListener("abort", stop, { once: true });
  let answered: unknown;
  try {
    answered = await Promise.race([askNow(), stopped]);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) {
      const message = `${whose(provider, use)} did not answer within ${timeoutMs / 1000} s (its timeoutMs).`;
      throw new RetryableError("TIMEOUT", message, { cause: error });
    }
    if (error instanceof DocmillError) throw error;
    const said = error instanceof Error ? error.message || error.name : inspect(error);
    // The engine looks through the causes: a time-out or a network error in there can be tried again.
    throw new Error(`${whose(provider, use)} failed: ${said.slice(0, longestMessage).toWellFormed()}`, {
      cause: error,
    });
  } finally {
    both.removeEventListener("abort", stop);
  }
  const checked = shape.safeParse(answered);
  if (!checked.success) throw wrongAnswer(provider, use, describeProblem(checked.error));
  const { usage } = checked.data;
  return { answer: keep(checked.data), ...usage };

  /** A function that is not async may throw before it gives a promise. */
  async function askNow(): Promise<unknown> {
    return ask({
      signal: both,
      get key() {
        return key();
      },
    });
  }
}

function describeProblem({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.join(".") ?? "";
  return `${where && `${where}: `}${issue?.message ?? "not what it should be"}`.slice(0, longestMessage);
}
