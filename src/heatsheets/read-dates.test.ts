import { describe, expect, it } from "vitest";
import { type DateOrder, findDates, readDateRange, readSessionDay, tellDateOrder } from "./read-dates.ts";

describe("readDateRange", () => {
  const cases: [string, string, string, DateOrder?][] = [
    ["Summer Open - 7/19/2025", "2025-07-19", "2025-07-19"],
    ["Summer Open - 6/11/2026 to 6/14/2026", "2026-06-11", "2026-06-14"],
    ["Cup - 23/11/2018 to 24/11/2018", "2018-11-23", "2018-11-24"],
    ["Cup - 3/4/2026", "2026-04-03", "2026-04-03", "dmy"],
    ["Cup - 2026-08-05 to 2026-08-08", "2026-08-05", "2026-08-08"],
    ["Copa - 05-08-2026 al 08-08-2026", "2026-08-05", "2026-08-08"],
    ["Pokal 19.07.2025 - 20.07.2025", "2025-07-19", "2025-07-20"],
    ["Springfield August 5-8, 2026", "2026-08-05", "2026-08-08"],
    ["July 30 - August 2, 2026", "2026-07-30", "2026-08-02"],
    ["August 5 – August 8, 2026", "2026-08-05", "2026-08-08"],
    ["30 July - 2 August 2026", "2026-07-30", "2026-08-02"],
    ["5 - 8 de agosto de 2026", "2026-08-05", "2026-08-08"],
    ["19. Juli 2025", "2025-07-19", "2025-07-19"],
    ["April 25th, 2025", "2025-04-25", "2025-04-25"],
    ["Meet 7/19/25", "2025-07-19", "2025-07-19"],
  ];
  it.each(cases)("%s", (text, from, to, order) => {
    expect(readDateRange(text, order)).toEqual({ from, to });
  });

  it.each(["Heat 1 of 2", "1:02.33 2018-2019", "Division 13/40/2020", "", "May be 5"])("none in %s", (text) => {
    expect(readDateRange(text)).toBeNull();
  });

  it("says where they stand", () => {
    expect(findDates("Cup - 6/11/2026 to 6/14/2026 x")).toEqual([
      { from: "2026-06-11", to: "2026-06-14", start: 6, end: 28 },
    ]);
  });
});

describe("tellDateOrder", () => {
  it.each([
    [["20/11/2018", "3/4/2018"], "dmy"],
    [["4/13/2018"], "mdy"],
    [["8/5/2026"], "mdy"],
    [["10/5/2026 to 2/6/2026"], "dmy"],
    [[], "mdy"],
  ] as const)("%j is %s", (texts, order) => {
    expect(tellDateOrder(texts)).toBe(order);
  });
});

describe("readSessionDay", () => {
  const meet = { from: "2026-06-11", to: "2026-06-14" };
  it.each([
    ["Friday Prelims", "2026-06-12"],
    ["Sat. AM", "2026-06-13"],
    ["Day 2 Finals", "2026-06-12"],
    ["June 14th", "2026-06-14"],
    ["6/13/2026 Finals", "2026-06-13"],
    ["Session 3", null],
    ["Monday", null],
  ])("%s", (name, date) => {
    expect(readSessionDay(name, meet)).toBe(date);
  });

  it("needs no name in a meet of one day", () => {
    expect(readSessionDay("Morning", { from: "2026-06-11", to: "2026-06-11" })).toBe("2026-06-11");
    expect(readSessionDay("Friday", null)).toBeNull();
  });
});
