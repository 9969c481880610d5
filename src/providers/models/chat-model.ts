/** A language model that is asked one question at a time and answers with data of a given shape, or with an error. */
import type { z } from "zod";
import type { CallContext } from "../call-context.ts";

export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image"; data: Uint8Array; mediaType: "image/png" | "image/jpeg" }
  | { type: "file"; data: Uint8Array; mediaType: "application/pdf"; filename: string };

export interface ChatQuestion<Answer> {
  /** What the answer must be: an object. Descriptions in it are told to the model. */
  schema: z.ZodType<Answer>;
  /** Names the shape for the model. */
  name: string;
  instructions: string;
  input: readonly ChatPart[];
  /** Part of the key under which the answer is kept: another version is asked anew. */
  promptVersion: number;
}

export interface ChatModel {
  /** As people know it: `openai`, `azure`. */
  readonly provider: string;
  readonly model: string;
  /** The model's answer, checked against the schema. */
  complete<Answer>(question: ChatQuestion<Answer>, call: CallContext): Promise<Answer>;
}
