import { describe, expect, it } from "vitest";
import { findJson } from "./read-completion.ts";

describe("the JSON in a text", () => {
  it.each([
    ["alone", `{"a":1}`],
    ["in a fence", 'Of course!\n```json\n{"a":1}\n```\nDone.'],
    ["in a fence without a name", '```\n{"a":1}\n```'],
    ["between words", `The answer is {"a":1}. Good luck!`],
    ["after thoughts", `<think>Is it {"a":2}? No.</think>\n{"a":1}`],
  ])("%s", (_, text) => {
    expect(findJson(text)).toEqual({ a: 1 });
  });

  it("is nothing where there is none", () => {
    expect(findJson("I do not know.")).toBeUndefined();
    expect(findJson(`{"a": `)).toBeUndefined();
    expect(findJson("")).toBeUndefined();
  });

  it("holds only text that can be stored", () => {
    expect(findJson(String.raw`{"a":"x\u0000y","b":"\ud83d","c":"\ud83d\ude00"}`)).toEqual({
      a: "xy",
      b: "\uFFFD",
      c: "😀",
    });
  });
});
