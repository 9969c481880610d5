/** A snippet as plain text, with what was found marked in it. */
import { Fragment } from "react";
import { toPlainText } from "../../parts/plain-text.ts";
import { parseSnippet, type SnippetPiece } from "./parse-snippet.ts";

export function Snippet({ snippet }: { snippet: string }) {
  return withoutMarkup(parseSnippet(snippet)).map(({ text, found }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change.
    found ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
  );
}

/** Stand around what was found while the whole is read: markup may begin in one piece and end in another. */
const [begin, end] = ["\uE000", "\uE001"];

function withoutMarkup(pieces: readonly SnippetPiece[]): SnippetPiece[] {
  const whole = pieces.map(({ text, found }) => (found ? `${begin}${text}${end}` : text)).join("");
  const parts = toPlainText(whole).split(/([\uE000\uE001])/);
  return parts.flatMap((text, index) =>
    text === "" || text === begin || text === end ? [] : [{ text, found: parts[index - 1] === begin }],
  );
}
