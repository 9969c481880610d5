import { describe, expect, it } from "vitest";
import { canBeSameEvent, describeEvent } from "./describe-event.ts";

describe("describeEvent", () => {
  it.each([
    ["Girls 10 & Under 50 Breaststroke", { distance: 50, stroke: "breast", sex: "W" }],
    ["Girls 11-12 100 LC Meter Freestyle", { distance: 100, stroke: "free", sex: "W" }],
    ["Men 25-29 50 Yard Butter\u03d0ly", { distance: 50, stroke: "fly", sex: "M" }],
    ["Boys 13 & Over 400 IM", { distance: 400, stroke: "medley", sex: "M" }],
    ["Mixed 10 Year Olds 200 LC Meter Medley Relay", { distance: 200, stroke: "medley", sex: "X" }],
    ["4x50m Lagen mixed", { distance: 200, stroke: "medley", sex: "X" }],
    ["200m Rücken männlich (Vorlauf)", { distance: 200, stroke: "back", sex: "M" }],
    ["(M) 11Y - 12Y | M 400m Libre/400m Free", { distance: 400, stroke: "free", sex: "M" }],
    ["Erkekler, 100m Sırtüstü", { distance: 100, stroke: "back", sex: "M" }],
    ["Something else", {}],
  ])("%s", (name, description) => {
    expect(describeEvent(name)).toEqual(description);
  });

  it("compares only what both names say", () => {
    const girls100 = describeEvent("Girls 11-12 100 LC Meter Freestyle");
    expect(canBeSameEvent(girls100, describeEvent("Girls 11-12 100 Free"))).toBe(true);
    expect(canBeSameEvent(girls100, describeEvent(""))).toBe(true);
    expect(canBeSameEvent(girls100, describeEvent("Boys 11-12 100 Free"))).toBe(false);
    expect(canBeSameEvent(girls100, describeEvent("Girls 11-12 200 Free"))).toBe(false);
    expect(canBeSameEvent(girls100, describeEvent("Girls 11-12 100 Back"))).toBe(false);
  });
});
