/** The user's own document service: pages with words, and blocks and fields where it gives them; the layout finds the rest. */
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import type { DocumentReader } from "../../formats/document-reader.ts";
import type { Block, Field } from "../../layout/blocks.ts";
import type { PageText } from "../../layout/page.ts";
import type { AnalysedPage, ExtractionService } from "../extraction/extraction-service.ts";
import { askOwn, textShape, usageShape, wrongAnswer } from "./ask-own.ts";
import { describeOwn, type ExtractionProvider } from "./own-providers.ts";
import { boxShape, toWords, wordsShape } from "./page-words.ts";

const use = "extraction";
const defaultPagesPerCall = 10;
const defaultFontSize = 10;

const blockShape = z.union([
  z.object({
    kind: z.enum(["paragraph", "heading", "list_item", "code", "caption", "footnote"]),
    text: textShape,
    box: boxShape,
    fontSize: z.number().positive().default(defaultFontSize),
  }),
  z.object({
    kind: z.literal("table"),
    rows: z.array(z.array(textShape)).min(1),
    headerRows: z.int().min(0).default(1),
    caption: textShape.optional(),
    box: boxShape,
  }),
]);
const fieldShape = z.object({
  key: textShape,
  value: textShape,
  kind: z.enum(["text", "date", "amount", "number", "checkbox"]).default("text"),
  normalized: textShape.optional(),
  confidence: z.number().min(0).max(1).default(1),
  box: boxShape.optional(),
});
const pageShape = z.object({
  page: z.int(),
  width: z.number().positive(),
  height: z.number().positive(),
  words: wordsShape,
  blocks: z.array(blockShape).optional(),
  fields: z.array(fieldShape).optional(),
});
const answerShape = z.object({ pages: z.array(pageShape), usage: usageShape });
type GivenPage = z.output<typeof pageShape>;

export function openOwnExtraction(own: ExtractionProvider, reader: Pick<DocumentReader, "arrange">): ExtractionService {
  return {
    name: describeOwn(own),
    pagesPerCall: own.pagesPerCall ?? defaultPagesPerCall,
    async analyse({ sha256, contentType, size, open }, range, call) {
      const pages = await askOwn(
        own,
        { sha256, ...range },
        {
          use,
          ask: (context) =>
            own.analyse(
              { sha256, contentType, size, bytes: async () => new Uint8Array(await buffer(await open())) },
              { ...range },
              context,
            ),
          shape: answerShape,
          keep: (answer) => inOrder(own, answer.pages, range),
        },
        call,
      );
      return Promise.all(pages.map((page) => complete(page, reader, call.signal)));
    },
  };
}

function inOrder(own: ExtractionProvider, pages: readonly GivenPage[], { from, to }: { from: number; to: number }) {
  const sorted = pages.toSorted((a, b) => a.page - b.page);
  const whole = sorted.length === to - from + 1 && sorted.every(({ page }, index) => page === from + index);
  if (whole) return sorted;
  const given = sorted.map(({ page }) => page).join(", ") || "none";
  throw wrongAnswer(own, use, `asked for the pages ${from} to ${to}, it gave ${given.slice(0, 200)}`);
}

async function complete(
  { page, width, height, words, blocks, fields }: GivenPage,
  reader: Pick<DocumentReader, "arrange">,
  signal: AbortSignal,
): Promise<AnalysedPage> {
  const text: PageText = { page, width, height, source: "model", words: toWords(words), rules: [] };
  const found = blocks && fields ? { blocks: [], fields: [] } : await reader.arrange(text, signal);
  return {
    text,
    blocks: blocks ? blocks.map(toBlock) : found.blocks,
    fields: fields ? fields.map((field): Field => ({ ...field, page, source: "own" })) : found.fields,
  };
}

function toBlock(block: z.output<typeof blockShape>): Block {
  if (block.kind !== "table") return { ...block, text: block.text.replaceAll(/\s*\n\s*/g, " "), bold: false };
  const columns = Math.max(...block.rows.map((row) => row.length));
  const rows = block.rows.map((row) => Array.from({ length: columns }, (_, at) => ({ text: row[at] ?? "" })));
  return { ...block, rows };
}
