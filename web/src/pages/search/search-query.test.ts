import { expect, it } from "vitest";
import { toSearchQuery } from "./search-query.ts";

it("asks nothing without a question", () => {
  expect(toSearchQuery({})).toBeUndefined();
  expect(toSearchQuery({ q: "  " })).toBeUndefined();
});

it("asks for words and meaning unless one of them is chosen", () => {
  expect(toSearchQuery({ q: " rye " })).toEqual({ q: "rye", mode: "hybrid" });
  expect(toSearchQuery({ q: "rye", mode: "text" })).toEqual({ q: "rye", mode: "text" });
  expect(toSearchQuery({ q: "rye", mode: "magic" })).toEqual({ q: "rye", mode: "hybrid" });
});
