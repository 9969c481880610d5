/**
 * Tesseract has no bullet among its characters: it reads the dot before a list's entry as whatever is small and round
 * (`e`, `¢`, `«`, `*` …). What stands first on its line, is as wide as high and half as high as what follows, is a bullet.
 */
import type { FoundWord } from "./place-words.ts";

const misreadings = /^[*¢®©«»°+eo•]$/u;
const mostHeight = 0.6;
/** How sure one can be of it; Tesseract's own figure is about the character it took it for. */
const confidence = 0.8;

export function restoreBullets(found: readonly FoundWord[]): FoundWord[] {
  return found.map((word, at) => {
    if (!misreadings.test(word.text)) return word;
    const before = found[at - 1];
    const line = restOfLine(found, at);
    const isFirst = before === undefined || !follows(before, word);
    return isFirst && isRound(word) && isSmallBeside(word, line) ? { ...word, text: "•", confidence } : word;
  });
}

/** The next words, as far as they stand on the same line: three are enough to see how high it is. */
function restOfLine(found: readonly FoundWord[], at: number): FoundWord[] {
  const line: FoundWord[] = [];
  for (let next = at + 1; next < at + 4; next++) {
    const word = found[next];
    if (word === undefined || !follows(found[next - 1] as FoundWord, word)) break;
    line.push(word);
  }
  return line;
}

function follows(before: FoundWord, word: FoundWord): boolean {
  const shared = Math.min(before.bottom, word.bottom) - Math.max(before.top, word.top);
  return word.left > before.left && shared > 0.3 * Math.min(height(before), height(word));
}

function isRound(word: FoundWord): boolean {
  const form = (word.right - word.left) / height(word);
  return form > 0.75 && form < 1.3;
}

function isSmallBeside(word: FoundWord, line: readonly FoundWord[]): boolean {
  if (!/^[\p{L}\p{N}"“'‘(]/u.test(line[0]?.text ?? "")) return false;
  return height(word) <= mostHeight * Math.max(...line.map(height));
}

function height({ top, bottom }: FoundWord): number {
  return bottom - top;
}
