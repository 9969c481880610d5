/** The user's own model as a chat model: its answers are held to the schema as those of any other. */
import { z } from "zod";
import { type AskedModel, askForShape } from "../models/ask-for-shape.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { askWithin, ledgerName, through, usageShape } from "./ask-own.ts";
import { type ModelProvider, ownProvider } from "./own-providers.ts";

const answerShape = z.object({
  answer: z.union([z.string(), z.record(z.string(), z.unknown())], "must be an object, or a text with JSON in it"),
  usage: usageShape,
});

export function openOwnModel(own: ModelProvider): ChatModel {
  const asked: AskedModel = {
    ...ledgerName(own),
    ask: ({ instructions, input, name }, { plain: schema }, key, signal, wrong) =>
      askWithin(
        own,
        {
          use: "model",
          ask: (call) => own.answer({ instructions, input, name, schema, ...(wrong && { wrong }) }, call),
          shape: answerShape,
          keep: ({ answer }) => (typeof answer === "string" ? answer : JSON.stringify(answer)),
        },
        () => key,
        signal,
      ),
  };
  return {
    provider: ownProvider,
    model: `${own.name} ${own.version}`,
    complete: (question, call) => askForShape(asked, question, through(own, call)),
  };
}
