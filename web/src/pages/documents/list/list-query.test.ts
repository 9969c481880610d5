import { describe, expect, it } from "vitest";
import { isFiltered, toListQuery, toNextPage, toPreviousPage, withFilter } from "./list-query.ts";

describe("the address of the list", () => {
  it("means the newest documents where it says nothing", () => {
    expect(toListQuery({})).toEqual({
      q: undefined,
      status: undefined,
      format: undefined,
      sort: "newest",
      limit: 25,
      cursor: undefined,
    });
  });

  it("means what it says, and nothing by what nobody offers", () => {
    expect(toListQuery({ q: " rye ", status: "Failed", format: "pdf", sort: "name", after: ["a", "b"] })).toMatchObject(
      {
        q: "rye",
        status: "Failed",
        format: "pdf",
        sort: "name",
        cursor: "b",
      },
    );
    expect(toListQuery({ q: "  ", status: "failed", format: "exe", sort: "size" })).toMatchObject({
      q: undefined,
      status: undefined,
      format: undefined,
      sort: "newest",
    });
  });

  it("goes a page on and back by the cursors gone through", () => {
    const third = toNextPage(toNextPage({ q: "rye" }, "a"), "b");
    expect(third).toEqual({ q: "rye", after: ["a", "b"] });
    expect(toPreviousPage(third)).toEqual({ q: "rye", after: ["a"] });
    expect(toPreviousPage(toPreviousPage(third))).toEqual({ q: "rye", after: undefined });
  });

  it("starts at the first page with another filter, and leaves out what is empty", () => {
    expect(withFilter({ q: "rye", after: ["a"] }, { status: "Ready", sort: "newest" })).toEqual({
      q: "rye",
      status: "Ready",
      format: undefined,
      sort: undefined,
      after: undefined,
    });
    expect(withFilter({ q: "rye" }, { q: "" }).q).toBeUndefined();
  });
});

it("knows a filter from an order", () => {
  expect(isFiltered({ sort: "name" })).toBe(false);
  expect(isFiltered({ q: "rye" })).toBe(true);
});
