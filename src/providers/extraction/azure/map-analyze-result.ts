/** Azure's answer as pages: words in points, blocks in reading order, fields. */
import type { PageText, Word } from "../../../layout/page.ts";
import type { AnalysedPage } from "../extraction-service.ts";
import type { AnalyzedPage, AnalyzeResult } from "./analyze-result.ts";
import { type PageScale, round, scaleOf, toBox } from "./page-scale.ts";
import { readBlocks } from "./read-blocks.ts";
import { readFields } from "./read-fields.ts";

/** `dpi` is that of the image that was analysed, where it is known. */
export function mapAnalyzeResult(result: AnalyzeResult, dpi?: number): AnalysedPage[] {
  const scales = new Map(result.pages.map((page) => [page.pageNumber, scaleOf(page, dpi)]));
  const scaleOfPage = (page: number) => scales.get(page) ?? { points: 72 };
  const texts = new Map(result.pages.map((page) => [page.pageNumber, toPageText(page, scaleOfPage(page.pageNumber))]));
  const blocks = readBlocks(result, scaleOfPage);
  const fields = readFields(result, texts, scaleOfPage);
  return [...texts.values()]
    .sort((a, b) => a.page - b.page)
    .map((text) => ({
      text,
      blocks: blocks.filter(({ page }) => page === text.page).map(({ block }) => block),
      fields: fields.filter(({ page }) => page === text.page),
    }));
}

function toPageText(page: AnalyzedPage, scale: PageScale): PageText {
  const marks = page.selectionMarks.map((mark) => ({ ...mark, content: mark.state === "selected" ? "☒" : "☐" }));
  const words = [...page.words, ...marks]
    .sort((a, b) => (a.span?.offset ?? 0) - (b.span?.offset ?? 0))
    .map(
      ({ content, polygon, confidence }): Word => ({
        text: content,
        box: toBox(polygon, scale),
        ...(confidence !== undefined && { confidence }),
      }),
    );
  return {
    page: page.pageNumber,
    width: round(page.width * scale.points),
    height: round(page.height * scale.points),
    source: "azure",
    words,
    rules: [],
  };
}
