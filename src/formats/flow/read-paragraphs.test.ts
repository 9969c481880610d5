import { expect, test } from "vitest";
import { readParagraphs } from "./read-paragraphs.ts";

test("paragraphs are parted by blank lines, however many and whatever is in them", () => {
  const text = "\n\n One\ntwo  \n \t \n\nthree\n\n\n";
  expect([...readParagraphs(text)]).toEqual([[" One", "two"], ["three"]]);
  expect([...readParagraphs("")]).toEqual([]);
  expect([...readParagraphs(" \n\n")]).toEqual([]);
});

test("lines without an end become several paragraphs, and none is lost", () => {
  const lines = Array.from({ length: 5_000 }, (_, number) => `line ${number}`);
  const paragraphs = [...readParagraphs(lines.join("\n"))];
  expect(paragraphs.length).toBeGreaterThan(1);
  expect(paragraphs.flat()).toEqual(lines);
});
