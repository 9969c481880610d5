/** What Azure Document Intelligence answers, as far as it is used. What a model does not give is empty. */
import { z } from "zod";

const span = z.object({ offset: z.number(), length: z.number() });
const spans = z.array(span).default([]);
const polygon = z.array(z.number()).default([]);
const region = z.object({ pageNumber: z.int(), polygon });
const passage = z.object({ content: z.string(), boundingRegions: z.array(region).default([]), spans });

const page = z.object({
  pageNumber: z.int(),
  width: z.number().default(0),
  height: z.number().default(0),
  unit: z.string().default("inch"),
  words: z
    .array(z.object({ content: z.string(), polygon, confidence: z.number().optional(), span: span.optional() }))
    .default([]),
  selectionMarks: z
    .array(z.object({ state: z.string(), polygon, confidence: z.number().optional(), span: span.optional() }))
    .default([]),
});

const cell = passage.extend({
  kind: z.string().optional(),
  rowIndex: z.int(),
  columnIndex: z.int(),
  rowSpan: z.int().default(1),
  columnSpan: z.int().default(1),
});

const table = z.object({
  rowCount: z.int(),
  columnCount: z.int(),
  cells: z.array(cell),
  boundingRegions: z.array(region).default([]),
  spans,
  caption: passage.optional(),
  footnotes: z.array(passage).default([]),
});

export const analyzeResult = z.object({
  pages: z.array(page),
  paragraphs: z.array(passage.extend({ role: z.string().optional() })).default([]),
  tables: z.array(table).default([]),
  figures: z
    .array(z.object({ boundingRegions: z.array(region).default([]), spans, caption: passage.optional() }))
    .default([]),
  sections: z.array(z.object({ elements: z.array(z.string()).default([]) })).default([]),
  keyValuePairs: z
    .array(z.object({ key: passage, value: passage.optional(), confidence: z.number().default(0) }))
    .default([]),
});

/** The state of an analysis. */
export const analyzeOperation = z.object({
  status: z.string(),
  error: z.object({ code: z.string().optional(), message: z.string().optional() }).optional(),
  analyzeResult: analyzeResult.optional(),
});

export type AnalyzeResult = z.infer<typeof analyzeResult>;
export type AnalyzedPage = z.infer<typeof page>;
export type Passage = z.infer<typeof passage>;
export type Paragraph = AnalyzeResult["paragraphs"][number];
export type AnalyzedTable = z.infer<typeof table>;
export type Span = z.infer<typeof span>;
