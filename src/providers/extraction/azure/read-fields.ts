/** Azure's key-value pairs as fields, their values normalised as those of the local rules are. */
import type { Field } from "../../../layout/blocks.ts";
import { readEvidence } from "../../../layout/fields/read-evidence.ts";
import { readRows } from "../../../layout/fields/read-rows.ts";
import { recogniseValue } from "../../../layout/fields/recognise-value.ts";
import type { PageText } from "../../../layout/page.ts";
import type { AnalyzeResult } from "./analyze-result.ts";
import { firstRegion, type PageScale, toBox } from "./page-scale.ts";

export function readFields(
  { keyValuePairs }: AnalyzeResult,
  pages: ReadonlyMap<number, PageText>,
  scaleOfPage: (page: number) => PageScale,
): Field[] {
  const evidence = new Map([...pages].map(([page, text]) => [page, readEvidence(readRows(text))]));
  return keyValuePairs.flatMap(({ key, value, confidence }) => {
    const name = tidy(key.content).replace(/\s*[::]$/, "");
    // A label without a value is a blank in a form, not a field.
    if (!name || !value) return [];
    const region = firstRegion(value) ?? firstRegion(key);
    const page = region?.pageNumber ?? pages.keys().next().value ?? 1;
    const box = region && { box: toBox(region.polygon, scaleOfPage(page)) };
    const where = { key: name, confidence, page, ...box, source: "azure" as const };
    const ticked = /^:(un)?selected:$/.exec(value.content.trim());
    if (ticked) {
      const isTicked = ticked[1] === undefined;
      return [{ ...where, kind: "checkbox" as const, value: isTicked ? "yes" : "no", normalized: String(isTicked) }];
    }
    const text = tidy(value.content);
    if (!text) return [];
    const { kind, normalized } = recogniseValue(text, evidence.get(page) ?? {});
    return [{ ...where, kind, value: text, ...(normalized !== undefined && { normalized }) }];
  });
}

function tidy(content: string): string {
  return content
    .replace(/:(un)?selected:/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
