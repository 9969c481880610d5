/** How many lines a text takes up in print. Some OCR gives a line a line, some a line a paragraph; both must count alike. */

const lettersInLine = 90;

export function printedLines(line: string): number {
  return Math.ceil(line.length / lettersInLine);
}
