/** Words of a provider of the user's own, checked, and lines among them cut into words. */
import { z } from "zod";
import type { Box, Word } from "../../layout/page.ts";
import { splitLine } from "../ocr/split-line.ts";
import { textShape } from "./ask-own.ts";

export const boxShape = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
});

export const wordsShape = z.array(
  z.object({ text: textShape, box: boxShape, confidence: z.number().min(0).max(1).optional() }),
);

/** `scale`: points to one of the units the boxes are in. */
export function toWords(given: z.output<typeof wordsShape>, scale = 1): Word[] {
  return given.flatMap(({ text, box, confidence }) =>
    splitLine(text, toPoints(box, scale)).map((word) => ({ ...word, ...(confidence !== undefined && { confidence }) })),
  );
}

function toPoints({ x, y, width, height }: Box, scale: number): Box {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}
