/** Writes lines of code as they stand: indented by their place, gaps as spaces, blank lines kept. Nothing is escaped. */
import type { Line } from "./line.ts";

/** Of a letter of narrow monospaced faces, in type sizes. */
const usualWidth = 0.52;

function letterWidthOf(lines: readonly Line[]): number {
  let letters = 0;
  let width = 0;
  for (const line of lines) {
    for (const word of line.words) {
      letters += word.text.length;
      width += word.x2 - word.x1;
    }
  }
  const measured = letters === 0 ? 0 : width / letters;
  // Boxes around the ink are narrower than what the letters take.
  return Math.max(1, measured, (lines[0]?.size ?? 10) * usualWidth);
}

export function writeCode(lines: readonly Line[]): string {
  const width = letterWidthOf(lines);
  const left = lines.reduce((least, line) => Math.min(least, line.x1), Number.POSITIVE_INFINITY);
  const written: string[] = [];
  lines.forEach((line, at) => {
    const above = lines[at - 1];
    if (above !== undefined && line.y2 - above.y2 > line.size * 2.1) written.push("");
    let text = "";
    let end: number | undefined;
    for (const word of line.words) {
      const gap = Math.min(120, Math.round((word.x1 - (end ?? left)) / width - (end === undefined ? 0 : 0.3)));
      text += " ".repeat(end === undefined ? Math.max(0, gap) : Math.max(1, gap)) + word.text;
      end = word.x2;
    }
    written.push(text);
  });
  return written.join("\n");
}
