import { expect, it } from "vitest";
import { createBoundedLabel } from "./bounded-label.ts";

it("keeps the first values and calls the rest other", () => {
  const labelOf = createBoundedLabel(2);
  expect(["a", "b", "c", "a", "b"].map(labelOf)).toEqual(["a", "b", "other", "a", "b"]);
});

it("keeps names of models and codes, and nothing that may be text", () => {
  const labelOf = createBoundedLabel(100);
  const names = ["gpt-5.1", "meta-llama/Llama-4:free", "RATE_LIMIT", "azure openai"];
  expect(names.map(labelOf)).toEqual(names);
  const texts = ["", 'a"b', "a\nb", "Zoë", "x".repeat(101)];
  expect(new Set(texts.map(labelOf))).toEqual(new Set(["other"]));
});
