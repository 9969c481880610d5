import { describe, expect, it } from "vitest";
import { allOf, nothing, sql, toJson } from "./sql.ts";

describe("the sql tag", () => {
  it("turns values into numbered parameters, never into text", () => {
    const name = "'; drop table jobs; --";
    expect(sql`select ${name}, ${7}`.compile()).toEqual({ text: "select $1, $2", values: [name, 7] });
  });

  it("splices fragments in with their own values, numbered through", () => {
    const due = sql`run_at <= ${"now"}`;
    const inner = sql`(${due} or priority > ${5})`;
    expect(sql`select from jobs where kind = ${"a"} and ${inner} limit ${10}`.compile()).toEqual({
      text: "select from jobs where kind = $1 and (run_at <= $2 or priority > $3) limit $4",
      values: ["a", "now", 5, 10],
    });
  });

  it("gives a fragment that is used twice its values twice", () => {
    const now = sql`now() - ${1}`;
    expect(sql`${now}, ${now}`.compile()).toEqual({ text: "now() - $1, now() - $2", values: [1, 1] });
  });

  it("compiles the same statement the same way again", () => {
    const statement = sql`select ${1} where ${sql`${2}`}`;
    expect(statement.compile()).toEqual(statement.compile());
  });

  it("adds nothing for nothing", () => {
    expect(sql`a${nothing}b`.compile()).toEqual({ text: "ab", values: [] });
  });
});

describe("allOf", () => {
  it("joins conditions with and", () => {
    expect(allOf([sql`a = ${1}`, sql`b = ${2}`, sql`c`]).compile()).toEqual({
      text: "a = $1 and b = $2 and c",
      values: [1, 2],
    });
  });

  it("is true without conditions", () => {
    expect(allOf([]).compile()).toEqual({ text: "true", values: [] });
  });
});

describe("toJson", () => {
  it("writes arrays as JSON and what is missing as null", () => {
    expect([toJson([1, "a"]), toJson(""), toJson(0), toJson(null), toJson(undefined)]).toEqual([
      '[1,"a"]',
      '""',
      "0",
      null,
      null,
    ]);
  });
});
