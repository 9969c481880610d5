/** Counts tokens as the common embedding models do (cl100k). The table behind it is loaded with the first count. */
import { createRequire } from "node:module";
import type { countTokens as CountTokens } from "gpt-tokenizer/encoding/cl100k_base";

let count: typeof CountTokens | undefined;
/** What looks like a control token in a document is text like any other. */
const asText = { disallowedSpecial: new Set<string>() };

export function countTokens(text: string): number {
  count ??= loadTokenizer();
  return count(text, asText);
}

/** 70 ms and 40 MB, which a process that never chunks does not spend. */
function loadTokenizer(): typeof CountTokens {
  const tokenizer = createRequire(import.meta.url)("gpt-tokenizer/encoding/cl100k_base");
  return tokenizer.countTokens;
}
