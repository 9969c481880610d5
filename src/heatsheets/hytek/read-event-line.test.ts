import { describe, expect, it } from "vitest";
import { readEventLine, sexOf } from "./read-event-line.ts";

describe("readEventLine", () => {
  it.each([
    ["Event 1 Boys 12 & Under 100 SC Meter IM", 1, "Boys 12 & Under 100 SC Meter IM"],
    ["#101 Girls 11-12 100 LC Meter Freestyle", 101, "Girls 11-12 100 LC Meter Freestyle"],
    ["Event 14 Men 11 Year Olds 100 LC Meter Freestyle", 14, "Men 11 Year Olds 100 LC Meter Freestyle"],
    ["Event 5S Women 50 Yard Butter ly", 5, "Women 50 Yard Butterfly"],
    ["Event 5 Women 50 Yard Butter y", 5, "Women 50 Yard Butterfly"],
    ["#8 Mixed 200 SC Meter Medley Relay 200 a 239 anos", 8, "Mixed 200 SC Meter Medley Relay 200 a 239 anos"],
    ["Event 3 Women 100 LC Meter Free (Timed Final)", 3, "Women 100 LC Meter Free (Timed Final)"],
    ["#1 Girls 10 & Under 50 Free", 1, "Girls 10 & Under 50 Free"],
  ])("%s", (text, number, name) => {
    expect(readEventLine(text)).toEqual({ events: [{ number, name }], continued: false });
  });

  it.each([
    ["Event 49 ...(Girls 13 & Over 400 LC Meter IM)", 49, "Girls 13 & Over 400 LC Meter IM"],
    ["#6 ... (Boys 13 & Over 1000 Yard Freest", 6, "Boys 13 & Over 1000 Yard Freest"],
  ])("%s is continued", (text, number, name) => {
    expect(readEventLine(text)).toEqual({ events: [{ number, name }], continued: true });
  });

  it("names both events of a pair", () => {
    expect(readEventLine("Event 21 / 22 Girls / Boys 13-14 800 Free")?.events).toEqual([
      { number: 21, name: "Girls 13-14 800 Free" },
      { number: 22, name: "Boys 13-14 800 Free" },
    ]);
    expect(readEventLine("Event 5/7 Girls 11-14 800 Free")?.events.map(({ number }) => number)).toEqual([5, 7]);
  });

  it("ends the event before also in words it does not know", () => {
    expect(readEventLine("Event 12 Damen 100 m")?.events).toEqual([{ number: 12, name: "Damen 100 m" }]);
  });

  it.each(["Event", "Event 5", "#5 seed", "Heat 1 of 2", "Meet Record: 1:02.33", "5 Event, Ann 12 OAK 33.20"])(
    "%s is none",
    (text) => {
      expect(readEventLine(text)).toBeNull();
    },
  );
});

describe("sexOf", () => {
  it.each([
    ["Girls 50 Free", "W"],
    ["Men 50 Free", "M"],
    ["Mixed 50 Free", "mixed"],
    ["50 Free", "mixed"],
  ])("%s", (name, sex) => {
    expect(sexOf(name)).toBe(sex);
  });
});
