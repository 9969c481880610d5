import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import { type Line, type PageSetting, setHytekPage, size, swim } from "../../../test/support/set-hytek-page.ts";
import type { Sheet, SheetEntry } from "../sheet.ts";
import { readProgram } from "./read-program.ts";

function read(...pages: PageSetting[]): Sheet {
  return readProgram(
    pages.map((page, i) => setHytekPage(page, i + 1)),
    "hytek",
  );
}

const girls = "Event 1 Girls 11-12 100 LC Meter Freestyle";

function only(sheet: Sheet): SheetEntry {
  expect(sheet.entries).toHaveLength(1);
  const [entry] = sheet.entries;
  if (!entry) throw new Error("no entry");
  return entry;
}

/** One row of a heat, of an event that is in order. */
function readRow(line: Line, event = girls): SheetEntry {
  return only(read({ columns: [[event, { header: "swimmers" }, "Heat 1 of 1 Finals", line]] }));
}

describe("rows", () => {
  it("have all fields", () => {
    expect(
      readRow(swim(3, "Reed, Ann B", { seed: "X1:05.32L", tag: "QUAL B____", team: "Pacific Northwes" })),
    ).toMatchObject({
      name: "Reed, Ann B",
      age: "12",
      sex: null,
      team: "Pacific Northwes",
      seed: "1:05.32L",
      exhibition: true,
      standard: "QUAL B",
      lane: 3,
      relay: null,
      page: 1,
    });
  });

  it("have ages of one digit close to the team", () => {
    expect(readRow(swim(3, "Reed, Ann", { age: "8" }))).toMatchObject({ age: "8", team: "OAK-PV" });
  });

  it("may lack the age, the team or the time", () => {
    expect(readRow(swim(3, "Reed, Ann", { age: "" }))).toMatchObject({ name: "Reed, Ann", age: null, team: "OAK-PV" });
    expect(readRow(swim(3, "Reed, Ann", { team: "" }))).toMatchObject({ age: "12", team: null, seed: "1:05.32" });
    expect(readRow(swim(3, "Reed, Ann", { seed: "", tag: "_____" }))).toMatchObject({ team: "OAK-PV", seed: null });
  });

  it("have names that run past the age", () => {
    const long = readRow(swim(4, "Featherstonehaugh, Annabel G", { age: "" }));
    expect(long.name).toBe("Featherstonehaugh, Annabel G");
    const page = new PageBuilder(612, 792)
      .line(18, 100, girls, { size })
      .line(18, 112, "Lane", { size })
      .line(45, 112, "Name", { size })
      .line(131, 112, "Age", { size })
      .line(154, 112, "Team Seed", { size })
      .line(18, 124, "Heat 1 of 1 Finals", { size })
      .line(29, 136, "4", { size })
      .line(43, 136, "Featherstone, Annabel", { size })
      .line(134.5, 136, "14", { size })
      .line(146, 136, "G", { size })
      .line(156, 136, "OAK-PV", { size })
      .line(240, 136, "33.24", { size });
    expect(only(readProgram([page.build()], "hytek"))).toMatchObject({
      name: "Featherstone, Annabel G",
      age: "14",
      team: "OAK-PV",
    });
  });

  it("have ages woven into the name", () => {
    // "Angelica" over the age "W71": one word that goes from the name into the age's column.
    const woven = readRow(swim(4, "Blackwood-Smythe, AngeWlic7a1", { age: "" }), "#7 Women 50 SC Meter IM");
    expect(woven).toMatchObject({ name: "Blackwood-Smythe, Angelica", age: "71", sex: "W", team: "OAK-PV" });
  });

  it("have M and W before the age in mixed events, also glued to the initial", () => {
    const mixed = "#35 Mixed 11-12 50 LC Meter Butterfly";
    expect(readRow(swim(1, "Reed, Tom", { age: "M12" }), mixed)).toMatchObject({
      name: "Reed, Tom",
      age: "12",
      sex: "M",
    });
    expect(readRow(swim(1, "Reed, Scarlett", { age: "LW10" }), mixed)).toMatchObject({
      name: "Reed, Scarlett L",
      age: "10",
      sex: "W",
    });
    expect(readRow(swim(1, "Reed, Scarlett", { age: "M10" }))).toMatchObject({
      name: "Reed, Scarlett M",
      age: "10",
      sex: null,
    });
  });

  it.each(["Daniel, Jo *", "* Daniel, Jo", "Lexi Laps A Lot,", "Heat 1 Lane 8,", "Jo Daniel", "Daniel, Co/Coops F"])(
    "keep the name %s",
    (name) => {
      expect(readRow(swim(2, name))).toMatchObject({ name, age: "12", team: "OAK-PV" });
    },
  );

  it("leave classes of para swimmers out of the name", () => {
    expect(readRow(swim(2, "Daniel, Jo S9 SB8 SM9")).name).toBe("Daniel, Jo");
  });

  it("have school years", () => {
    const sheet = read({
      columns: [
        [
          girls,
          { header: "school" },
          "Heat 1 of 1",
          swim(1, "Reed, Ann", { age: "SO" }),
          swim(2, "Reed, Eve", { age: "4" }),
        ],
      ],
    });
    expect(sheet.entries.map(({ age }) => age)).toEqual(["SO", "4"]);
  });

  it("write f where the font has another letter", () => {
    expect(readRow(swim(2, "Reed, So\u03d0ia")).name).toBe("Reed, Sofia");
  });
});

describe("relays", () => {
  const relay = "Event 9 Mixed 200 SC Meter Medley Relay 200 a 239 anos";
  const team = (lane: number, name: string, letters: string) => ({ lane, name, relay: letters, seed: "3:02,00" });
  const readRelay = (...lines: Line[]) =>
    read({ columns: [[relay, { header: "teams" }, "Heat 1 of 1 Finals", ...lines]] }).entries;

  it("have a team and a letter", () => {
    const [first, second, third] = readRelay(
      team(1, "Garrett Park", "A"),
      team(2, "DOM X160", "B"),
      team(3, "Oak C", ""),
    );
    expect(first).toMatchObject({ team: "Garrett Park", seed: "3:02,00", name: null, relay: { letter: "A" } });
    expect(second).toMatchObject({ team: "DOM", relay: { letter: "B" } });
    expect(third).toMatchObject({ team: "Oak C", relay: { letter: null } });
  });

  it("have two rows of two swimmers", () => {
    const [first, second] = readRelay(
      team(1, "OAK", "A"),
      { members: "Reed, Ann W55 van Moss, Eve W64" },
      { members: "Hill, Tom M49 Stone, Ian BM43" },
      team(2, "ELM", "A"),
    );
    expect(first?.relay?.members.map(({ leg, name, age }) => [leg, name, age])).toEqual([
      [1, "Reed, Ann", "55"],
      [2, "van Moss, Eve", "64"],
      [3, "Hill, Tom", "49"],
      [4, "Stone, Ian B", "43"],
    ]);
    expect(first?.box.height).toBeGreaterThan(25);
    expect(second?.relay?.members).toEqual([]);
  });

  it("have numbered legs", () => {
    const [first] = readRelay(
      team(1, "OAK", "A"),
      { members: "1) Reed, Ann 11 2) Moss, Eve" },
      { members: "3) Hill, Ida 4) Fox, Una SO" },
    );
    expect(first?.relay?.members.map(({ leg, name, age }) => [leg, name, age])).toEqual([
      [1, "Reed, Ann", "11"],
      [2, "Moss, Eve", null],
      [3, "Hill, Ida", null],
      [4, "Fox, Una", "SO"],
    ]);
  });
});
