import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import { randomPages } from "../../../test/support/random-pages.ts";
import { acuatica } from "./acuatica.ts";

const program = new PageBuilder()
  .lines(40, 20, [
    "LIGA DE EJEMPLO",
    "VII Copa De Muestra - Infantiles",
    "Session: 1 2026-Apr-18 Warm Up: 16:45 Start Competition: 17:45",
    "67 (M) 11Y - 12Y - 13Y | M",
    "400m Libre/400m Free",
    "R1:03:59.99",
    "Heat # 1 ~ 17:45",
    "3 11M Juan De Prueba abcd 6:58.10",
    "4 12M Luis Ejemplo Modelo qrs n.t.",
    "Heat # 2 ~ 17:53",
    "1 13M Pedro Muestra efgh 6:15.44",
    "68 (F) INF AB | F",
    "4x50m Libre/4x50m Free",
    "Heat # 1",
    "5 Club De Prueba A 2:40.10",
    "Program generated from the Web Service sistemas@ColombiaAcuatica.com",
  ])
  .build();

/** Every kind of line that the layout has. */
const printed = [
  "Session: 1 2026-Apr-18 Warm Up: 16:45 Start Competition: 17:45",
  "67 (M) 11Y - 12Y | M",
  "400m Libre/400m Free",
  "Heat # 1 ~ 17:45",
  "3 11M Juan De Prueba abcd n.t.",
];

describe("acuatica", () => {
  it("reads events, heats and rows", () => {
    expect(acuatica.recognises([program])).toBe(true);
    const sheet = acuatica.read([program]);
    expect(sheet).toMatchObject({
      producer: "acuatica",
      meetName: "VII Copa De Muestra - Infantiles",
      sessionName: "Session 1",
      sessionDate: "2026-04-18",
      events: [
        { number: 67, name: "(M) 11Y - 12Y - 13Y | M 400m Libre/400m Free", relay: false },
        { number: 68, name: "(F) INF AB | F 4x50m Libre/4x50m Free", relay: true },
      ],
    });
    expect(
      sheet.entries.map((e) => [e.event, e.heat, e.heatStart, e.lane, e.name, e.age, e.sex, e.team, e.seed]),
    ).toEqual([
      [0, 1, "17:45", 3, "Juan De Prueba", "11", "M", "abcd", "6:58.10"],
      [0, 1, "17:45", 4, "Luis Ejemplo Modelo", "12", "M", "qrs", "n.t."],
      [0, 2, "17:53", 1, "Pedro Muestra", "13", "M", "efgh", "6:15.44"],
      [1, 1, null, 5, null, null, null, "Club De Prueba", "2:40.10"],
    ]);
    expect(sheet.entries[3]?.relay).toEqual({ letter: "A", members: [] });
  });

  it("reads categories instead of ages, and columns one after the other", () => {
    const page = new PageBuilder()
      .line(20, 20, "Session: 2 2026-Jul-04 Warm Up: 07:00 Start Competition: 8:00")
      .lines(20, 40, ["1 (F) INF AB 10Y-13Y | F", "50m Pecho/50m Breast", "Heat # 1", "1 Iaf Ana Muestra ijkl 1:07.20"])
      .lines(310, 40, ["Heat # 2", "2 Ibf Eva Prueba Modelo ijkl 58.31", "2 (M) INF AB | M", "50m Pecho/50m Breast"])
      .lines(310, 88, ["Heat # 1", "4 Iam Juan De Prueba mnop 53.05"])
      .build();
    const { entries, sessionDate } = acuatica.read([page]);
    expect(sessionDate).toBe("2026-07-04");
    expect(entries.map((e) => [e.event, e.heat, e.heatStart, e.name, e.age, e.sex, e.seed])).toEqual([
      [0, 1, "08:00", "Ana Muestra", null, "W", "1:07.20"],
      [0, 2, null, "Eva Prueba Modelo", null, "W", "58.31"],
      [1, 1, null, "Juan De Prueba", null, "M", "53.05"],
    ]);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(randomPages(printed), (pages) => {
        acuatica.recognises(pages);
        expect(acuatica.read(pages).pageCount).toBe(pages.length);
      }),
    );
  });
});
