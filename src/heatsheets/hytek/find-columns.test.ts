import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import type { Word } from "../../layout/page.ts";
import { findColumns } from "./find-columns.ts";

const size = 7;

function setHeaders(lefts: readonly number[], lane = true): PageBuilder {
  const page = new PageBuilder(612, 792);
  for (const left of lefts) {
    if (lane) page.line(left, 100, "Lane", { size });
    page
      .line(left + 25, 100, "Name", { size })
      .line(left + 95, 100, "Age", { size })
      .line(left + 112, 100, "Team", { size });
  }
  return page;
}

const words = (page: PageBuilder): Word[] => page.build().words;
const lefts = (pages: Word[][]) => findColumns(pages).map((columns) => columns.map(({ left }) => left));

describe("findColumns", () => {
  it.each([[[18]], [[18, 310]], [[18, 212, 407]]])("finds %j by their headers", (expected) => {
    expect(lefts([words(setHeaders(expected))])).toEqual([expected]);
  });

  it("finds those of psych sheets, whose ranks stand left of the name", () => {
    const page = setHeaders([18, 213, 407], false)
      .line(18, 90, "#1 Girls 50 Yard Free", { size })
      .line(409, 120, "104", { size });
    const [columns] = findColumns([words(page)]);
    expect(columns?.map(({ words: inColumn }) => inColumn.length)).toEqual([8, 3, 4]);
    expect(columns?.[0]?.left).toBe(18);
  });

  it("gives a page without headers those of its neighbours", () => {
    const last = new PageBuilder(612, 792).line(18, 86, "Heat 4 Prelims", { size });
    expect(lefts([words(setHeaders([18, 310])), words(last)])).toEqual([
      [18, 310],
      [18, 310],
    ]);
  });

  it("sees a column that has heats only", () => {
    const page = setHeaders([18]).line(310, 86, "Heat 4 Prelims", { size });
    expect(lefts([words(page)])).toEqual([[18, 310]]);
  });

  it("starts anew where another layout begins", () => {
    expect(lefts([words(setHeaders([18, 310])), words(setHeaders([18, 212, 407]))])).toEqual([
      [18, 310],
      [18, 212, 407],
    ]);
  });

  it("makes one column of what has no headers", () => {
    expect(lefts([words(new PageBuilder().line(50, 50, "Lane closed"))])).toEqual([[0]]);
    expect(findColumns([])).toEqual([]);
  });
});
