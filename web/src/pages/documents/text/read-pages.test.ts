import { expect, it } from "vitest";
import { pageAt, readPages } from "./read-pages.ts";

const pages = readPages("first\n\nsecond\n\nthird", [
  { page: 1, offset: 0 },
  { page: 2, offset: 7 },
  { page: 3, offset: 15 },
]);

it("cuts the markdown where pages begin", () => {
  expect(pages.map(({ page, markdown }) => [page, markdown.trim()])).toEqual([
    [1, "first"],
    [2, "second"],
    [3, "third"],
  ]);
});

it("goes to the page that is named, else to the passage's, else to the first", () => {
  expect(pageAt(pages, 3, 8).page).toBe(3);
  expect(pageAt(pages, undefined, 8).page).toBe(2);
  expect(pageAt(pages, 99, 8).page).toBe(2);
  expect(pageAt(pages, undefined, undefined).page).toBe(1);
});
