/** Sets the words of a line into its box, by the length of their letters: for readers that know lines only. */
import type { Box, Word } from "../../layout/page.ts";

export function splitLine(text: string, line: Box): Word[] {
  const letter = line.width / text.length;
  return [...text.matchAll(/\S+/g)].map((found) => ({
    text: found[0],
    box: { x: line.x + found.index * letter, y: line.y, width: found[0].length * letter, height: line.height },
  }));
}
