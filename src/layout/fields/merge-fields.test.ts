import { expect, test } from "vitest";
import type { Field } from "../blocks.ts";
import { mergeFields } from "./merge-fields.ts";

const field = (
  key: string,
  value: string,
  page: number,
  confidence: number,
  source: Field["source"] = "label",
): Field => ({
  key,
  value,
  kind: "text",
  confidence,
  page,
  source,
});

test("keeps a repeated header once and the surest page's notion", () => {
  const merged = mergeFields([
    field("Invoice No", "A-1", 1, 0.9),
    field("total", "10.00", 1, 0.6, "pattern"),
    field("Invoice No", "A-1", 2, 0.9),
    field("Invoice No", "B-2", 2, 0.9),
    field("total", "12.00", 2, 0.9, "pattern"),
  ]);
  expect(merged.map(({ key, value, page }) => [key, value, page])).toEqual([
    ["Invoice No", "A-1", 1],
    ["Invoice No", "B-2", 2],
    ["total", "12.00", 2],
  ]);
});
