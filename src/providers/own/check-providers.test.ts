import { expect, test } from "vitest";
import { findProviderMistake } from "./check-providers.ts";

const noop = () => undefined;
const facts = { name: "mine", version: "1" };
const embeddings = { ...facts, dimensions: 3, embed: async () => ({ vectors: [] }) };

test("providers as they should be", () => {
  expect(findProviderMistake({})).toBeUndefined();
  expect(
    findProviderMistake({
      ocr: { ...facts, read: noop, paid: true, timeoutMs: 5_000, state: new Map() },
      embeddings: { ...embeddings, batchSize: 8, calibration: { unrelated: 0.1, related: 0.5 } },
      model: { ...facts, answer: noop },
      extraction: { ...facts, analyse: noop, pagesPerCall: 3 },
    }),
  ).toBeUndefined();
});

test.for([
  ["no object", 7, "exports providers, which must be an object"],
  ["one that does not exist", { speech: {} }, "exports providers.speech, which is none of ocr, embeddings, model"],
  ["a function in its place", { ocr: noop }, "exports providers.ocr, which must be an object"],
  ["no name", { model: { version: "1", answer: noop } }, "exports providers.model.name, which must be a text"],
  [
    "a name of odd characters",
    { embeddings: { ...embeddings, name: "a\nb" } },
    "providers.embeddings.name, which must be",
  ],
  ["no version", { model: { name: "mine", answer: noop } }, "exports providers.model.version"],
  ["no function", { extraction: facts }, "exports providers.extraction.analyse, which must be a function"],
  [
    "no dimensions",
    { embeddings: { ...embeddings, dimensions: undefined } },
    "exports providers.embeddings.dimensions",
  ],
  ["half a dimension", { embeddings: { ...embeddings, dimensions: 2.5 } }, "dimensions, which must be a whole number"],
  ["no time", { ocr: { ...facts, read: noop, timeoutMs: 0 } }, "providers.ocr.timeoutMs, which must be more than 0"],
  [
    "a calibration the wrong way round",
    { embeddings: { ...embeddings, calibration: { unrelated: 0.5, related: 0.1 } } },
    "exports providers.embeddings.calibration, which must have unrelated below related",
  ],
] as const)("%s is told", ([_, providers, mistake]) => {
  expect(findProviderMistake(providers)).toContain(mistake);
});
