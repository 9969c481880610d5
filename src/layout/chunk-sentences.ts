/** Where sentences end, and how what is longer than a chunk is cut: between words, then between characters as readers see them. */
import { countTokens } from "./chunk-tokens.ts";

/** The marks are taken from the first on: from each of ten thousand dots in a row, looking to the end takes for ever. */
const sentenceEnd = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=\s+["'“‘«‹([*_¿¡]*[\p{Lu}\p{N}\p{Lo}])|[。！？｡]+[」』”’）)]*/gu;
const abbreviation =
  /(?:^|[\s("'“‘])(?:\p{Lu}|[Mm]rs?|[Mm]s|[DdPpS]r|St|[Pp]rof|[Gg]en|[Cc]apt|[Rr]ev|[Nn]os?|[Vv]ols?|[Ff]igs?|pp?|cf|vs|etc|e\.g|i\.e|[Cc]h|[Ss]ec|[Ee]d|bzw|z\.B|Nr|Bd|Hr|Fr)\.$/u;

/** The ends of the sentences between two offsets; the last is the second of them. */
export function* splitSentences(markdown: string, from: number, to: number): Generator<number> {
  const text = markdown.slice(from, to);
  sentenceEnd.lastIndex = 0;
  const ends: number[] = [];
  for (const match of text.matchAll(sentenceEnd)) {
    const end = match.index + match[0].length;
    if (match[0] === "." && abbreviation.test(text.slice(Math.max(0, match.index - 12), end))) continue;
    if (end < text.length) ends.push(end);
  }
  for (const end of ends) yield from + end;
  yield to;
}

/** Sizes of pieces that each have at most `maxTokens` and, if they can, end between words. */
export function* splitLong(text: string, maxTokens: number): Generator<number> {
  // Small pieces, so that chunks can be filled evenly.
  const wanted = Math.max(1, Math.floor(maxTokens / 8));
  let at = 0;
  while (at < text.length) {
    let size = nextPiece(text, at, wanted * 4);
    while (size > 2 && countTokens(text.slice(at, at + size)) > maxTokens) size = smallerPiece(text, at, size);
    yield size;
    at += size;
  }
}

function smallerPiece(text: string, at: number, size: number): number {
  const smaller = nextPiece(text, at, size >> 1);
  return smaller < size ? smaller : wholeCodePoints(text, at, size >> 1);
}

function nextPiece(text: string, at: number, chars: number): number {
  if (at + chars >= text.length) return text.length - at;
  const window = text.slice(at, at + chars);
  const space = /\s\S*$/.exec(window)?.index ?? 0;
  if (window.slice(0, space).trim() !== "") return space;
  return graphemesWithin(text, at, chars);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Nobody writes more marks on a letter; who does may see them cut, but never inside a code point. */
const maxGrapheme = 64;

function wholeCodePoints(text: string, at: number, size: number): number {
  const code = text.charCodeAt(at + size);
  return code >= 0xdc00 && code <= 0xdfff ? size + 1 : size;
}

function graphemesWithin(text: string, at: number, chars: number): number {
  let size = 0;
  for (const { segment } of segmenter.segment(text.slice(at, at + chars + maxGrapheme))) {
    if (size > 0 && size + segment.length > chars) break;
    size += segment.length;
  }
  return wholeCodePoints(text, at, size);
}
