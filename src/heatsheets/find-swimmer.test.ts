import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSwimmer } from "./find-swimmer.ts";
import type { Sheet, SheetEntry } from "./sheet.ts";

const box = { x: 18, y: 100, width: 250, height: 9 };

function entryOf(name: string | null, facts: Partial<SheetEntry> = {}): SheetEntry {
  return {
    event: 0,
    round: "Finals",
    heat: 1,
    totalHeats: 1,
    blockHeat: null,
    heatStart: null,
    lane: 4,
    rank: null,
    alternate: false,
    name,
    age: "12",
    sex: null,
    team: "DOLF-XX",
    seed: "1:05.32",
    exhibition: false,
    standard: null,
    relay: null,
    page: 1,
    box,
    ...facts,
  };
}

function relayOf(members: [string, string][], facts: Partial<SheetEntry> = {}): SheetEntry {
  const legs = members.map(([name, age], index) => ({ name, age, leg: index + 1, box }));
  return entryOf(null, { age: null, relay: { letter: "A", members: legs }, ...facts });
}

function sheetOf(entries: SheetEntry[]): Sheet {
  return {
    kind: "program",
    producer: "hytek",
    meetName: "Sample Meet",
    meetDates: null,
    sessionName: null,
    sessionDate: null,
    venue: null,
    pageCount: 1,
    printedAt: null,
    events: [],
    entries,
    sessions: [],
    warnings: [],
  };
}

describe("the swims of a swimmer", () => {
  it("are single rows and places in relays, in the order of the sheet", () => {
    const relay = relayOf([
      ["Roe, Mia", "11"],
      ["Doe, Jane", "12"],
    ]);
    const entries = [entryOf("Doe, Jane M"), entryOf("Roe, Mia"), relay, entryOf("Doe, Jane M", { event: 3 })];
    const { swims, nearMisses, namesakes } = findSwimmer(sheetOf(entries), "jane doe");
    expect(swims).toEqual([
      { entry: entries[0] },
      { entry: relay, member: relay.relay?.members[1] },
      { entry: entries[3] },
    ]);
    expect([nearMisses, namesakes]).toEqual([[], []]);
  });

  it("are not those of somebody whose name is merely alike", () => {
    const names = ["Doe, Janet", "Doe, Janes", "Roe, Jane", "Doe, Richard", "Doe, Jamie", "Doe, Jana", "Noe, Jane"];
    const { swims, nearMisses } = findSwimmer(sheetOf(names.map((name) => entryOf(name))), "Jane Doe");
    expect(swims).toEqual([]);
    expect(nearMisses).toHaveLength(5);
    expect(nearMisses).not.toContain("Doe, Richard");
  });

  it("are not those of the one whose first name is the surname", () => {
    const entries = [entryOf("James, Martin"), entryOf("Martin, James")];
    expect(findSwimmer(sheetOf(entries), "James Martin").swims).toEqual([{ entry: entries[1] }]);
    expect(findSwimmer(sheetOf(entries), "Martin James").swims).toEqual([{ entry: entries[0] }]);
    expect(findSwimmer(sheetOf(entries), "James, Martin").swims).toEqual([{ entry: entries[0] }]);
    const other = findSwimmer(sheetOf(entries.slice(0, 1)), "James Martin");
    expect(other).toMatchObject({ swims: [], nearMisses: ["James, Martin"] });
    const plain = [entryOf("MARTIN James")];
    expect(findSwimmer(sheetOf(plain), "James Martin").swims).toEqual([{ entry: plain[0] }]);
  });
});

describe("namesakes", () => {
  const entries = [
    entryOf("Lee, Anna", { age: "12", team: "DOLF-XX" }),
    entryOf("Lee, Anna", { age: "9", team: "DOLF-XX" }),
    entryOf("Lee, Anna", { age: "12", team: "SHRK-XX" }),
    entryOf("Lee, Anna", { age: "13", team: "DOLF-XX" }),
    relayOf([["Lee, Anna", "9"]], { team: "DOLF" }),
  ];

  it("are listed", () => {
    const { swims, namesakes } = findSwimmer(sheetOf(entries), "Anna Lee");
    expect(swims).toHaveLength(5);
    expect(namesakes).toEqual([
      { name: "Lee, Anna", age: "12", team: "DOLF-XX" },
      { name: "Lee, Anna", age: "9", team: "DOLF-XX" },
      { name: "Lee, Anna", age: "12", team: "SHRK-XX" },
    ]);
  });

  it("are told apart by age or team", () => {
    const find = (wanted: string) => {
      const { swims, namesakes } = findSwimmer(sheetOf(entries), wanted);
      return [swims.map(({ entry }) => entries.indexOf(entry)), namesakes.length];
    };
    expect(find("Anna Lee (9)")).toEqual([[1, 4], 0]);
    expect(find("Lee, Anna (shrk)")).toEqual([[2], 0]);
    expect(find("Anna Lee (DOLF)")).toEqual([[0, 1, 3, 4], 2]);
  });

  it("that nothing in brackets fits are near misses", () => {
    expect(findSwimmer(sheetOf(entries), "Anna Lee (OTTR)")).toEqual({
      swims: [],
      nearMisses: ["Lee, Anna"],
      namesakes: [],
    });
  });

  it("are also those whose initials differ", () => {
    const two = [entryOf("Lee, Anna K"), entryOf("Lee, Anna M")];
    expect(findSwimmer(sheetOf(two), "Anna Lee").namesakes.map(({ name }) => name)).toEqual([
      "Lee, Anna K",
      "Lee, Anna M",
    ]);
    expect(findSwimmer(sheetOf(two), "Anna K Lee")).toMatchObject({
      swims: [{ entry: two[0] }],
      nearMisses: ["Lee, Anna M"],
      namesakes: [],
    });
  });
});

it("every row of a swimmer is found and no other, in a sheet of any names", () => {
  const name = fc.stringMatching(/^[A-Z][a-z]{4,8}, [A-Z][a-z]{4,8}$/);
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), fc.nat(), (names, pick) => {
      const entries = [...names, ...names].map((text) => entryOf(text));
      const wanted = names[pick % names.length] ?? "";
      const { swims, nearMisses } = findSwimmer(sheetOf(entries), wanted);
      const found = new Set(swims.map(({ entry }) => entry.name));
      expect(swims.length).toBe(2 * found.size);
      expect(found).toContain(wanted);
      for (const other of found) expect(other?.startsWith(wanted) || wanted.startsWith(other ?? "-")).toBe(true);
      expect(nearMisses).not.toContain(wanted);
    }),
  );
});
