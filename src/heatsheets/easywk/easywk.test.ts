import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import { randomPages } from "../../../test/support/random-pages.ts";
import { easywk } from "./easywk.ts";

/** Left edges as EasyWk sets them. */
function addRow(page: PageBuilder, y: number, [lane, name, year, club, seed]: readonly string[]): PageBuilder {
  page
    .line(60, y, lane ?? "")
    .line(119, y, name ?? "")
    .line(275, y, year ?? "");
  return page.line(314, y, club ?? "").line(500, y, seed ?? "");
}

const header = ["Bahn", "Schwimmerin", "Jg.", "Verein", "Meldezeit"];

function cover() {
  return new PageBuilder()
    .line(183, 541, "vom 03.12.2022 bis 04.12.2022")
    .line(202, 615, "Meldeergebnis")
    .line(85, 709, "Wettkampfbecken")
    .line(382, 709, "Schwimmbad-Adresse")
    .line(85, 726, "4 Bahnen")
    .line(370, 726, "Hallenbad Musterstadt")
    .line(400, 743, "Seeweg 5")
    .line(202, 790, "Stand: 01.12.2022, 18:41:35 Uhr erzeugt mit EasyWk")
    .build(1);
}

function heats() {
  const page = new PageBuilder()
    .line(57, 23, "7. Musterstädter Pokal")
    .line(522, 23, "Seite 1")
    .line(57, 48, "Abschnitt 1 - Samstag 03.12.2022")
    .line(65, 84, "Beginn: 08:45 Uhr")
    .line(57, 106, "Wettkampffolge für Abschnitt 1")
    .line(60, 130, "Wettkampf 1 - 100m Rücken weiblich (Vorlauf)")
    .line(60, 142, "Wettkampf 2 - 4x50m Lagen mixed")
    .line(60, 154, "Abschnittsende (ca. 13:03 Uhr)")
    .line(57, 180, "Wettkampf 1 - 100m Rücken weiblich (Vorlauf)");
  addRow(page, 195, ["abgem.", "Fern, Ida", "2011", "SC Beispiel", "01:40,00"]);
  page.line(58, 210, "Lauf 1/2 (ca. 08:47 Uhr)");
  addRow(page, 230, header);
  addRow(page, 242, ["Bahn 2", "Muster, Mia", "2010", "SV 1919 Beispiel", "01:49,44"]);
  return addRow(page, 254, ["Bahn 3", "von Ufer, Lea Sophie", "2012", "TJ Vorbild, z.s.", "00:00,00"]).build(2);
}

function moreHeats() {
  const page = new PageBuilder()
    .line(57, 23, "7. Musterstädter Pokal")
    .line(522, 23, "Seite 2")
    .line(58, 48, "noch Wettkampf 1 - 100m Rücken weiblich (Vorlauf)")
    .line(58, 60, "Lauf 2/2 (ca. 08:50 Uhr)");
  addRow(page, 80, header);
  addRow(page, 92, ["Bahn 1", "Probe, Zoë", "2010", "SC Beispiel 06", "01:10,38"]);
  page.line(57, 120, "Wettkampf 2 - 4x50m Lagen mixed").line(58, 140, "Lauf 1/1 (ca. 09:00 Uhr)");
  addRow(page, 160, header);
  return addRow(page, 172, ["Bahn 4", "2. Mannschaft (X)", "Offen", "SC Beispiel 06", "02:24,99"]).build(3);
}

/** Every kind of line that the layout has. */
const printed = [
  "Wettkampf 1 - 100m Freistil weiblich (Vorlauf)",
  "noch Wettkampf 2 - 4x50m Lagen mixed",
  "Lauf 1/3 (ca. 08:45 Uhr)",
  "Bahn Schwimmerin Jg. Verein Meldezeit",
  "Bahn 2 Muster, Mia 2010 SC Beispiel 00:00,00",
  "Bahn 3 2. Mannschaft (X) Offen SC Beispiel 02:10,00",
  "Abschnitt 1 - Samstag 03.12.2022",
  "Beginn: 08:45 Uhr",
  "vom 03.12.2022 bis 99.12.2022",
  "Schwimmbad-Adresse",
];

describe("easywk", () => {
  const sheet = easywk.read([cover(), heats(), moreHeats()]);

  it("is told by its lines, not by its name", () => {
    expect(easywk.recognises([heats()])).toBe(true);
    expect(easywk.recognises([cover()])).toBe(false);
  });

  it("reads the cover", () => {
    expect(sheet).toMatchObject({
      kind: "program",
      producer: "easywk",
      meetName: "7. Musterstädter Pokal",
      meetDates: { from: "2022-12-03", to: "2022-12-04" },
      venue: "Hallenbad Musterstadt, Seeweg 5",
      printedAt: "2022-12-01T18:41",
      sessionName: "Abschnitt 1",
      sessionDate: "2022-12-03",
      pageCount: 3,
      warnings: [],
    });
  });

  it("lists an event once, however often it is named", () => {
    expect(sheet.events.map(({ number, name, relay }) => [number, name, relay])).toEqual([
      [1, "100m Rücken weiblich (Vorlauf)", false],
      [2, "4x50m Lagen mixed", true],
    ]);
  });

  it("reads rows, and none for who has withdrawn", () => {
    const rows = sheet.entries.map((e) => [
      e.event,
      e.heat,
      e.totalHeats,
      e.heatStart,
      e.lane,
      e.name,
      e.age,
      e.team,
      e.seed,
      e.page,
    ]);
    expect(rows).toEqual([
      [0, 1, 2, "08:47", 2, "Muster, Mia", "2010", "SV 1919 Beispiel", "01:49,44", 2],
      [0, 1, 2, "08:47", 3, "von Ufer, Lea Sophie", "2012", "TJ Vorbild, z.s.", "00:00,00", 2],
      [0, 2, 2, "08:50", 1, "Probe, Zoë", "2010", "SC Beispiel 06", "01:10,38", 3],
      [1, 1, 1, "09:00", 4, null, "Offen", "SC Beispiel 06", "02:24,99", 3],
    ]);
    expect(sheet.entries[0]?.round).toBe("Vorlauf");
    expect(sheet.entries[3]?.relay).toEqual({ letter: "2", members: [] });
    expect(sheet.entries[0]?.box).toMatchObject({ x: 60, y: 242 });
  });

  it("takes the start of the session for its first heat where heats have none", () => {
    const page = new PageBuilder()
      .line(57, 48, "Abschnitt 1 - Samstag 03.12.2022")
      .line(65, 84, "Beginn: 8:45 Uhr")
      .line(57, 180, "Wettkampf 1 - 100m Rücken weiblich")
      .line(58, 210, "Lauf 1");
    addRow(page, 230, header);
    addRow(page, 242, ["Bahn 2", "Muster, Mia", "2010", "SC Beispiel", "01:49,44"]);
    page.line(58, 260, "Lauf 2");
    addRow(page, 280, ["Bahn 2", "Probe, Zoë", "2010", "SC Beispiel", "01:39,44"]);
    const starts = easywk.read([page.build()]).entries.map(({ heatStart, totalHeats }) => [heatStart, totalHeats]);
    expect(starts).toEqual([
      ["08:45", null],
      [null, null],
    ]);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(randomPages(printed), (pages) => {
        easywk.recognises(pages);
        expect(easywk.read(pages).pageCount).toBe(pages.length);
      }),
    );
  });
});
