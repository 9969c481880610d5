import { expect, it } from "vitest";
import { joinLines, placeBox } from "./boxes.ts";

const page = { width: 600, height: 800 };

it("places a box in percent of its page", () => {
  expect(placeBox({ x: 60, y: 80, width: 300, height: 8 }, page)).toEqual({
    left: "10%",
    top: "10%",
    width: "50%",
    height: "1%",
  });
});

it("gives it air, but never beyond the page", () => {
  expect(placeBox({ x: 0, y: 790, width: 600, height: 20 }, page, 4)).toEqual({
    left: "0%",
    top: "98.25%",
    width: "100%",
    height: "1.75%",
  });
  expect(placeBox({ x: 700, y: 900, width: 10, height: 10 }, page)).toMatchObject({ width: "0%", height: "0%" });
});

it("joins words of a line, and not lines or columns", () => {
  const word = (x: number, y: number) => ({ x, y, width: 30, height: 10 });
  expect(joinLines([word(0, 0), word(34, 1), word(68, 0), word(0, 14), word(300, 14)])).toEqual([
    { x: 0, y: 0, width: 98, height: 11 },
    word(0, 14),
    word(300, 14),
  ]);
});
