import { expect, test } from "vitest";
import { cleanCharacter, isDebris, isSpace } from "./clean-character.ts";

test.for([
  ["A", "A"],
  ["é", "é"],
  ["ﬁ", "fi"],
  ["ﬄ", "ffl"],
  ["ﷲ", "الله"],
  ["\u0002", "-"],
  ["\ufffe", "-"],
  ["\u00ad", "-"],
  ["\u2011", "-"],
  ["\uf0b7", "•"],
  ["\uf0a7", "▪"],
  ["\u200b", ""],
  ["\ufeff", ""],
  ["\ue123", ""],
  ["\ufffd", ""],
  ["\u0007", ""],
  ["²", "²"],
  ["😀", "😀"],
] as const)("%j becomes %j", ([given, clean]) => {
  expect(cleanCharacter(given.codePointAt(0) as number)).toBe(clean);
});

test("glyphs without a meaning are debris; marks PDFium sets and symbols people know are not", () => {
  for (const code of [0x00, 0x07, 0x85, 0xe123, 0xfffd, 0xd800, 0xf0000]) expect(isDebris(code)).toBe(true);
  for (const code of [0x02, 0x0a, 0x41, 0xe9, 0xf0b7, 0x4e2d, 0x1f600]) expect(isDebris(code)).toBe(false);
});

test("every kind of space is one", () => {
  for (const character of " \t\r\n\u00a0\u2003\u202f\u3000") expect(isSpace(character.charCodeAt(0))).toBe(true);
  for (const character of "a-\u200b") expect(isSpace(character.charCodeAt(0))).toBe(false);
});
