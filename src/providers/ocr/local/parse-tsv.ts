/** Reads Tesseract's TSV: a row per block, paragraph, line and word, of which the words are wanted. */
import type { FoundWord } from "./place-words.ts";

const wordLevel = "5";

export function parseTsv(tsv: string): FoundWord[] {
  const words: FoundWord[] = [];
  for (const row of tsv.split("\n")) {
    const [level, , , , , , left, top, width, height, confidence, word] = row.split("\t");
    const text = word?.trim();
    if (level !== wordLevel || !text) continue;
    words.push({
      text,
      confidence: Number(confidence) / 100,
      left: Number(left),
      top: Number(top),
      right: Number(left) + Number(width),
      bottom: Number(top) + Number(height),
    });
  }
  return words;
}
