/** A snippet with what was found marked in it. */
import { Fragment } from "react";
import { toPlainText } from "../../parts/plain-text.ts";
import { parseSnippet } from "./parse-snippet.ts";

export function Snippet({ snippet }: { snippet: string }) {
  return parseSnippet(snippet).map(({ text, found }, index) => {
    const plain = toPlainText(text);
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change.
    return found ? <mark key={index}>{plain}</mark> : <Fragment key={index}>{plain}</Fragment>;
  });
}
