/**
 * Tells the lines of a region that are no rows of a table although they have gaps: of a table of contents, a running
 * head or foot, a heading behind its number, a justified line with wide spaces, and what stands below a figure.
 */
import type { Line } from "./line.ts";
import { cellsOf } from "./split-cells.ts";

interface Told {
  /** Of a table of contents. */
  contents: readonly boolean[];
  /** Running heads and feet. */
  alone: readonly boolean[];
}

export function findApartLines(lines: readonly Line[], { contents, alone }: Told, bodySize: number): boolean[] {
  return lines.map(
    (line, at) =>
      contents[at] === true ||
      alone[at] === true ||
      isNumberedHeading(line, bodySize) ||
      isLoose(line) ||
      isFigureCaption(line),
  );
}

function isNumberedHeading(line: Line, bodySize: number): boolean {
  if (!/^(\d{1,2}|[A-Z])(\.\d{1,3})*\.?$/.test(line.words[0]?.text ?? "")) return false;
  if (!(line.size > bodySize * 1.13 || (line.bold && line.size > bodySize * 1.04))) return false;
  const cells = cellsOf(line);
  return cells.length === 2 && cells[0]?.words.length === 1;
}

function isFigureCaption(line: Line): boolean {
  const [first, second] = line.words;
  return (
    /^(fig(ure|\.)?|abb(ildung|\.)|figura)$/i.test(first?.text ?? "") &&
    /^[\dA-Z][\d.-]*[.:]?$/.test(second?.text ?? "")
  );
}

const fewestWords = 6;
/** In type sizes: between columns there is more. */
const widestSpace = 1.3;
const plainWord = /^[("“‘]?\p{L}+[-,.;:)"”’]*$/u;

function isLoose(line: Line): boolean {
  const { words, size } = line;
  if (words.length < fewestWords) return false;
  let [narrowest, widest] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 1; i < words.length; i++) {
    const gap = (words[i]?.x1 ?? 0) - (words[i - 1]?.x2 ?? 0);
    narrowest = Math.min(narrowest, gap);
    widest = Math.max(widest, gap);
  }
  if (widest > size * widestSpace || narrowest < widest * 0.4 || narrowest < size * 0.35) return false;
  return words.filter((word) => plainWord.test(word.text)).length > words.length * 0.7;
}
