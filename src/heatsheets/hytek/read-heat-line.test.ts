import { describe, expect, it } from "vitest";
import { readHeatLine } from "./read-heat-line.ts";

const plain = { total: null, round: null, start: null, of: [], inner: null };

describe("readHeatLine", () => {
  it.each([
    ["Heat 1 of 2 Finals", { number: 1, total: 2, round: "Finals" }],
    ["Heat 1of 2 Finals", { number: 1, total: 2, round: "Finals" }],
    ["Heat 1 of 4 Finals - Swimming with Finals", { number: 1, total: 4, round: "Finals - Swimming with Finals" }],
    ["Heat 3 of 20 Finals Starts at 03:43 PM", { number: 3, total: 20, round: "Finals", start: "15:43" }],
    ["Heat 3 of 20 Finals Starts at 12:05 AM", { number: 3, total: 20, round: "Finals", start: "00:05" }],
    ["Heat 3 of 20 Starts at 17:45", { number: 3, total: 20, start: "17:45" }],
    [
      "Heat 4 Finals (#3 Girls 50 LC Me Starts at 09:59 AM",
      { number: 4, round: "Finals", start: "09:59", of: [{ number: 3, name: "Girls 50 LC Me" }] },
    ],
    ["Heat 2 A - Final", { number: 2, round: "A - Final" }],
    [
      "Heat 16 (#35 Mixed 11-12 50 LC Meter Butter",
      { number: 16, of: [{ number: 35, name: "Mixed 11-12 50 LC Meter Butter" }] },
    ],
    ["Heat 4 Prelims (#3 Girls 50 Free)", { number: 4, round: "Prelims", of: [{ number: 3, name: "Girls 50 Free" }] }],
    [
      "Heat 2 (Heat 1 Boys 800 Free) Swimming with Finals",
      { number: 2, round: "Swimming with Finals", inner: { number: 1, eventName: "Boys 800 Free" } },
    ],
    [
      "Heat 8 (Heat 5 Girls 800 Free) (#21 / 22 )",
      {
        number: 8,
        of: [
          { number: 21, name: "" },
          { number: 22, name: "" },
        ],
        inner: { number: 5, eventName: "Girls 800 Free" },
      },
    ],
  ])("%s", (text, expected) => {
    expect(readHeatLine(text)).toEqual({ ...plain, ...expected });
  });

  it.each(["Heat", "Heat Wave, Ann 12", "Heats 1", "2 Heat 1 Lane 8, 16 OAK 28.10"])("%s is none", (text) => {
    expect(readHeatLine(text)).toBeNull();
  });
});
