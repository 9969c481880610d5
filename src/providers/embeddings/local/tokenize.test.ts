import { beforeAll, describe, expect, it } from "vitest";
import { readVocabulary } from "./read-model.ts";
import { createTokenizer, type Tokenizer, type Vocabulary } from "./tokenize.ts";

describe("the tokenizer", () => {
  let vocabulary: Vocabulary;
  let tokenize: Tokenizer;

  beforeAll(async () => {
    vocabulary = await readVocabulary();
    tokenize = createTokenizer(vocabulary);
  });

  const pieces = (text: string) => [...tokenize(text)].map((token) => vocabulary[token]?.[0]);
  const unknown = () => vocabulary[0]?.[0];

  it("takes the likeliest pieces, spaces being part of them", () => {
    expect(pieces("hello world")).toEqual(["▁hell", "o", "▁world"]);
  });

  it("loses no character of what it knows", () => {
    const text = "Payments are due on the 3rd, or (failing that) within thirty days; see section 12.4.";
    expect(pieces(text).join("")).toBe(`▁${text.replaceAll(" ", "▁")}`);
  });

  it("makes one token of a stretch it does not know", () => {
    expect(pieces("a 読書 b")).toEqual(["▁a", "▁", unknown(), "▁b"]);
  });

  it("reads line breaks as spaces, ligatures as their letters, and passes over what has no shape", () => {
    expect(tokenize("of\n  fice")).toEqual(tokenize("of fice"));
    expect(tokenize("of\u00adfice")).toEqual(tokenize("office"));
    expect(tokenize("o\ufb03ce")).toEqual(tokenize("office"));
  });

  it("finds nothing in nothing", () => {
    expect(tokenize("")).toHaveLength(0);
    expect(tokenize("\u200b")).toHaveLength(0);
  });
});
