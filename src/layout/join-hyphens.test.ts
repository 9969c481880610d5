import { expect, test } from "vitest";
import { joinHyphen } from "./join-hyphens.ts";
import { KnownWords } from "./known-words.ts";

function join(before: string, after: string, page = ""): string {
  return joinHyphen(before, after, new KnownWords(() => page.split(" "))) ?? `${before} ${after}`;
}

test.for([
  ["exam-", "ple", "", "example"],
  ["ex-", "ecutes", "executes", "executes"],
  ["ex-", "pected", "", "expected"],
  ["pre-", "heated", "heated", "pre-heated"],
  ["well-", "known", "", "well-known"],
  ["mixed-", "mode", "this mode is", "mixed-mode"],
  ["trace-", "compilation", "trace-based compilation of a trace", "trace-compilation"],
  ["water-", "driven", "the water was driven", "water-driven"],
  ["some-", "thing", "some thing", "something"],
  ["proper-", "ties", "proper ties", "properties"],
  ["frame-", "work", "the frame of my work", "framework"],
  ["char-", "acters", "char- acters of a char", "characters"],
  ["Wasser-", "rad", "Wasser Rad", "Wasserrad"],
  ["left-", "and", "", "left- and"],
  ["PER-", "MITTED", "PERMITTED", "PERMITTED"],
  ["Anglo-", "American", "", "Anglo-American"],
  ["hy\u00ad", "phen", "", "hyphen"],
] as const)("%s %s becomes, where the page has '%s', %s", ([before, after, page, expected]) => {
  expect(join(before, after, page)).toBe(expected);
});
