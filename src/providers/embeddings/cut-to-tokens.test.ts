import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { describe, expect, it } from "vitest";
import { cutToTokens } from "./cut-to-tokens.ts";

describe("a text for a model", () => {
  it.each(["", "short", "wörter ".repeat(20), "word ".repeat(100)])(
    "stays as it is where it fits: %j",
    async (text) => {
      expect(await cutToTokens(text, 101)).toBe(text);
    },
  );

  it.each(["A sentence of words. ", "漢字かな交じり文", "😀👨‍👩‍👧 ", "<|endoftext|> "])(
    "is cut to its limit: %j",
    async (piece) => {
      const text = piece.repeat(200);
      for (const limit of [50, 51, 52]) {
        const cut = await cutToTokens(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        const tokens = countTokens(cut, { disallowedSpecial: new Set() });
        expect(tokens).toBeLessThanOrEqual(limit);
        expect(tokens).toBeGreaterThan(limit - 5);
      }
    },
  );
});
