/**
 * OCR by a language model that sees. It gives whole lines, with boxes if it can; words are set into their line by the
 * length of their letters. How sure it is it cannot say, so its words carry no confidence.
 */
import { z } from "zod";
import type { Box } from "../../layout/page.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { encodePage } from "./encode-page.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { splitLine } from "./split-line.ts";

const thousandths = z.number().describe("in thousandths of the page, from its top left corner");
const pageShape = z.object({
  lines: z.array(
    z.object({
      text: z.string().describe("the line exactly as printed"),
      box: z
        .object({ left: thousandths, top: thousandths, right: thousandths, bottom: thousandths })
        .nullable()
        .describe("where the line stands; null if you cannot tell"),
    }),
  ),
});
type Line = z.infer<typeof pageShape>["lines"][number];

const promptVersion = 1;
const instructions = `You read scanned pages. Give every line of text on the page, in reading order: column by column, a table row by row.
Copy what is printed, letter by letter, in its own language. Correct nothing, translate nothing, add nothing.
Leave out what cannot be read. A page without text has no lines.`;
/** Models scale larger images down themselves, and charge for them. */
const maxSide = 2_048;
/** Of the page, where lines without boxes are put. */
const margin = 0.06;
const tallestLine = 14;

export function openModelOcr({ chat }: { chat: ChatModel }): OcrEngine {
  return {
    name: chat.model,
    source: "model",
    async recognise(image, call) {
      const { png, width, height, turned, blank } = await encodePage(image, maxSide);
      if (blank) return { words: [], width, height, turned, blank };
      const { lines } = await chat.complete(
        {
          schema: pageShape,
          name: "page_text",
          instructions,
          input: [{ type: "image", data: png, mediaType: "image/png" }],
          promptVersion,
        },
        call,
      );
      const read = lines.filter(({ text }) => text.trim() !== "");
      // A model that is wrong about some boxes has guessed the others.
      const boxes = read.map(({ box }) => toPoints(box, width, height));
      const placed = boxes.every((box) => box !== undefined) ? boxes : stack(read, width, height);
      const words = read.flatMap(({ text }, index) => splitLine(text, placed[index] as Box));
      return { words, width, height, turned, blank };
    },
    close: async () => {},
  };
}

function toPoints(box: Line["box"], width: number, height: number): Box | undefined {
  if (!box) return undefined;
  const { left, top, right, bottom } = box;
  if (left < 0 || top < 0 || right > 1000 || bottom > 1000 || right <= left || bottom <= top) return undefined;
  return {
    x: (left * width) / 1000,
    y: (top * height) / 1000,
    width: ((right - left) * width) / 1000,
    height: ((bottom - top) * height) / 1000,
  };
}

/** Lines down the page, one below the other, each as long as its text. */
function stack(lines: readonly Line[], width: number, height: number): Box[] {
  const pitch = Math.min((height * (1 - 2 * margin)) / lines.length, tallestLine * 1.3);
  const longest = Math.max(...lines.map(({ text }) => text.length));
  const letter = Math.min((width * (1 - 2 * margin)) / longest, pitch * 0.4);
  return lines.map(({ text }, index) => ({
    x: width * margin,
    y: height * margin + index * pitch,
    width: text.length * letter,
    height: pitch / 1.3,
  }));
}
