/** 7.3: whatever stands in progress_detail, the page is shown. */
import { expect, test } from "vitest";
import { readProgressDetail } from "./read-progress-detail.ts";

const nothing = { pageErrors: [], stats: null };

test.each([
  null,
  "",
  "{",
  '{"page_errors": {"23": {"err',
  "null",
  "12",
  '"text"',
  "[]",
  '{"page_errors": 5, "stats": "many"}',
  '{"page_errors": null, "stats": {"subtopics_created": "14"}}',
])("7.3 %s says nothing", (progress_detail) => {
  expect(readProgressDetail({ progress_detail })).toEqual(nothing);
});

test("errors come in the order of their pages, with or without a type", () => {
  const page_errors = {
    "30": "Too dark",
    "9": { error: "Empty", error_type: "terminal" },
    "10": 7,
    cover: "No number",
  };
  const progress_detail = JSON.stringify({ page_errors, stats: { subtopics_created: 14, subtopics_merged: 6 } });
  expect(readProgressDetail({ progress_detail })).toEqual({
    pageErrors: [
      { page: 9, error: "Empty" },
      { page: 10, error: "It is not known why." },
      { page: 30, error: "Too dark" },
    ],
    stats: { created: 14, merged: 6 },
  });
});
