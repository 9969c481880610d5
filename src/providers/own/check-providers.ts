/** Checks the providers of a config file when it is loaded, so that a mistake is found at the start and not in a job. */
import { z } from "zod";

const text = z
  .string("must be a text")
  .regex(/^[\w][\w .:@/+-]{0,98}$/, "must be 1 to 99 letters, digits, spaces and .:@/+-_");
const ask = z.custom<() => unknown>((given) => typeof given === "function", "must be a function");
/** A timer takes no more. */
const timeoutMs = z
  .int("must be a whole number")
  .min(1, "must be more than 0")
  .max(2 ** 31 - 1, "is too long")
  .optional();
const count = (most: number) =>
  z.int("must be a whole number").min(1, "must be more than 0").max(most, `must be ${most} at most`);
const cosine = z.number("must be a number").gt(-1, "must be above -1").lt(1, "must be below 1");

const facts = { name: text, version: text, paid: z.boolean("must be true or false").optional(), timeoutMs };
const calibration = z
  .object({ unrelated: cosine, related: cosine }, "must have unrelated and related")
  .refine(({ unrelated, related }) => unrelated < related, "must have unrelated below related");

const isObject = "must be an object";
const shape = z.strictObject(
  {
    ocr: z.looseObject({ ...facts, read: ask }, isObject).optional(),
    embeddings: z
      .looseObject(
        {
          ...facts,
          embed: ask,
          dimensions: count(16_000),
          batchSize: count(10_000).optional(),
          calibration: calibration.optional(),
        },
        isObject,
      )
      .optional(),
    model: z.looseObject({ ...facts, answer: ask }, isObject).optional(),
    extraction: z.looseObject({ ...facts, analyse: ask, pagesPerCall: count(10_000).optional() }, isObject).optional(),
  },
  isObject,
);

/** What is wrong, as the rest of a sentence; undefined if nothing is. */
export function findProviderMistake(providers: unknown): string | undefined {
  const checked = shape.safeParse(providers);
  const [issue] = checked.error?.issues ?? [];
  if (issue === undefined) return undefined;
  const where = ["providers", ...issue.path].join(".");
  if (issue.code === "unrecognized_keys") {
    return `exports ${where}.${issue.keys[0]}, which is none of ${Object.keys(shape.shape).join(", ")}`;
  }
  return `exports ${where}, which ${issue.message}`;
}
