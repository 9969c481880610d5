import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import { randomPages } from "../../../test/support/random-pages.ts";
import { splash } from "./splash.ts";

type Cells = readonly [lane: string, name: string, year: string, club: string, seed: string];

function addRow(page: PageBuilder, y: number, [lane, name, year, club, seed]: Cells, x = 40): PageBuilder {
  page
    .line(x, y, lane)
    .line(x + 20, y, name)
    .line(x + 120, y, year);
  return page.line(x + 140, y, club).line(x + 215, y, seed);
}

function addFoot(page: PageBuilder): PageBuilder {
  return page
    .line(40, 780, "Splash Meet Manager, 11.79888 Registered to Somebody")
    .line(450, 780, "18.09.2026 14:06 - Page 1");
}

function startList() {
  const page = new PageBuilder()
    .line(40, 20, "7th Example Cup")
    .line(40, 32, "Sampletown, 19. - 20.9.2026")
    .line(40, 60, "2 - Afternoon")
    .line(450, 60, "19.09.2026 - 13:00")
    .line(40, 80, "Event 12")
    .line(200, 80, "Men, 100m Freestyle")
    .line(450, 80, "15 years and older")
    .line(40, 92, "19.09.2026 - 13:45")
    .line(450, 92, "Start List")
    .line(40, 110, "Heat 1 of 2");
  addRow(page, 122, ["3", "SAMPLE Tom", "10", "SC Example 06", "1:02.33"]);
  addRow(page, 134, ["4", "(Tk) de la MODEL Finn", "2009", "Swim Team", "NT"]);
  page.line(40, 150, "Heat 2 of 2 13:49");
  addRow(page, 162, ["4", "INSTANCE Max", "08", "SC Example 06", "59.21"]).line(330, 162, "HC");
  return addFoot(page).build(1);
}

function relays() {
  const page = new PageBuilder()
    .line(40, 20, "7th Example Cup")
    .line(40, 40, "Event 12, Men, 100m Freestyle")
    .line(40, 60, "Event 13")
    .line(200, 60, "Women, 4 x 50m Medley")
    .line(40, 80, "Heat 1 of 1")
    .line(40, 92, "4")
    .line(60, 92, "SC Example 06 2")
    .line(255, 92, "2:10.00")
    .line(60, 104, "MODEL Ann 08")
    .line(180, 104, "SAMPLE Eve 09");
  return addFoot(page).build(2);
}

/** Every kind of line that the layout has. */
const printed = [
  "Splash Meet Manager, 11.79888 Registered to Somebody 18.09.2026 14:06",
  "Sampletown, 19. - 20.9.2026",
  "2 - Afternoon 19.09.2026 - 13:00",
  "Event 12, Men, 100m Freestyle",
  "Event 13, Women, 4 x 50m Medley",
  "19.09.2026 - 13:45",
  "Heat 1 of 2 13:49",
  "4 SAMPLE Tom 10 SC Example HC 1:02.33",
  "MODEL Ann 08 SAMPLE Eve 09",
];

describe("splash", () => {
  const sheet = splash.read([startList(), relays()]);

  it("is told by its foot and its heats", () => {
    expect(splash.recognises([startList()])).toBe(true);
    expect(splash.recognises([addFoot(new PageBuilder()).build()])).toBe(false);
  });

  it("reads the head, the session and the events", () => {
    expect(sheet).toMatchObject({
      producer: "splash",
      meetName: "7th Example Cup",
      meetDates: { from: "2026-09-19", to: "2026-09-20" },
      venue: "Sampletown",
      printedAt: "2026-09-18T14:06",
      sessionName: "2 - Afternoon",
      sessionDate: "2026-09-19",
      warnings: [],
    });
    expect(sheet.events.map(({ number, name, relay }) => [number, name, relay])).toEqual([
      [12, "Men, 100m Freestyle, 15 years and older", false],
      [13, "Women, 4 x 50m Medley", true],
    ]);
  });

  it("reads rows; the event's start is that of its first heat", () => {
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
      e.exhibition,
    ]);
    expect(rows).toEqual([
      [0, 1, 2, "13:45", 3, "SAMPLE Tom", "10", "SC Example 06", "1:02.33", false],
      [0, 1, 2, "13:45", 4, "de la MODEL Finn", "2009", "Swim Team", "NT", false],
      [0, 2, 2, "13:49", 4, "INSTANCE Max", "08", "SC Example 06", "59.21", true],
      [1, 1, 1, null, 4, null, null, "SC Example 06", "2:10.00", false],
    ]);
  });

  it("reads relay teams with their swimmers", () => {
    expect(sheet.entries[3]?.relay).toMatchObject({
      letter: "2",
      members: [
        { name: "MODEL Ann", age: "08", leg: 1 },
        { name: "SAMPLE Eve", age: "09", leg: 2 },
      ],
    });
  });

  it.each([
    ["Wettkampf 3", "Frauen, 50m Rücken", "Lauf 1 von 4"],
    ["Épreuve 3", "Dames, 50m Dos", "Série 1 de 4"],
    ["Prueba 3", "Femenino, 50m Espalda", "Serie 1 de 4"],
    ["Programmanr. 3", "Dames, 50m rugslag", "Serie 1 van 4"],
    ["Yarış 3", "Kızlar, 50m Sırtüstü", "Seri 1 / 4"],
    ["Konkurencja 3", "Kobiet, 50m grzbietowym", "Seria 1 z 4"],
    ["Gren 3", "Damer, 50m Ryggsim", "Heat 1 av 4"],
  ])("reads %s", (event, name, heat) => {
    const page = new PageBuilder().line(40, 40, `${event}, ${name}`).line(40, 60, heat);
    addRow(page, 80, ["5", "SAMPLE Eve", "11", "Club", "45.00"]).line(40, 100, "Seite 1 von 9");
    const pages = [addFoot(page).build()];
    expect(splash.recognises(pages)).toBe(true);
    const { events, entries } = splash.read(pages);
    expect(events).toMatchObject([{ number: 3, name }]);
    expect(entries).toMatchObject([{ heat: 1, totalHeats: 4, lane: 5, name: "SAMPLE Eve", age: "11", seed: "45.00" }]);
  });

  it("reads two columns one after the other", () => {
    const page = new PageBuilder()
      .line(40, 40, "Event 1")
      .line(200, 40, "Girls, 50m Freestyle")
      .line(40, 60, "Heat 1 of 2")
      .line(320, 60, "Heat 2 of 2");
    addRow(page, 80, ["1", "SAMPLE Eve", "11", "Club", "45.00"]);
    addRow(page, 80, ["1", "MODEL Ann", "12", "Club", "41.00"], 320);
    const { entries } = splash.read([addFoot(page).build()]);
    expect(entries.map(({ heat, name, seed }) => [heat, name, seed])).toEqual([
      [1, "SAMPLE Eve", "45.00"],
      [2, "MODEL Ann", "41.00"],
    ]);
  });

  it("warns of rows without a heat", () => {
    const page = new PageBuilder().line(40, 40, "Event 1, Girls, 50m Freestyle");
    addRow(page, 60, ["1", "SAMPLE Eve", "11", "Club", "45.00"]);
    expect(splash.read([page.build()])).toMatchObject({ entries: [], warnings: [expect.stringContaining("1 rows")] });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(randomPages(printed), (pages) => {
        splash.recognises(pages);
        expect(splash.read(pages).pageCount).toBe(pages.length);
      }),
    );
  });
});
