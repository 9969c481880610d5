import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeEasyWk } from "./easywk-list.ts";
import { writeHytekProgram } from "./hytek-program.ts";
import { writeHytekPsych } from "./hytek-psych.ts";
import { makeMeet } from "./make-meet.ts";
import { writeResults, writeSessionReport, writeUnknownLayout, writeWarmupDecoy } from "./other-documents.ts";
import { readSheetPages } from "./read-sheet-pages.ts";
import { type MadeSheet, swimsOf } from "./sheet-truth.ts";
import { writeSplash } from "./splash-list.ts";
import { writeTeamUnify } from "./teamunify-program.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-sheets-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const meet = makeMeet({ seed: 7, distance: true });
const plain = makeMeet({ seed: 8 });

describe("a made-up meet", () => {
  it("is the same for the same seed", () => {
    expect(makeMeet({ seed: 7, distance: true })).toEqual(meet);
    expect(makeMeet({ seed: 9, distance: true })).not.toEqual(meet);
  });

  it("has every entry of an event in one heat, or among the alternates, or in a list by rank", () => {
    for (const { entries, heats, alternates, form } of meet.events) {
      const placed = [...heats.flatMap(({ lanes }) => lanes.filter((entry) => entry !== null)), ...alternates];
      expect(new Set(placed).size).toBe(placed.length);
      expect(new Set(placed)).toEqual(new Set(form === "ranked" ? [] : entries));
    }
  });

  it("has a swimmer called Lane, another whose surname that is, and two of one name in different teams", () => {
    expect(meet.swimmers.some(({ first }) => first === "Lane")).toBe(true);
    expect(meet.swimmers.some(({ last }) => last === "Lane")).toBe(true);
    const namesakes = meet.swimmers.filter(({ first, last }) => first === "Anna" && last === "Quillfeather");
    expect(new Set(namesakes.map(({ team }) => team.code)).size).toBe(2);
  });
});

describe("every row stands on its page", () => {
  const sheets: [string, () => MadeSheet][] = [
    ["a program in two columns", () => writeHytekProgram(meet, { columns: 2, records: true })],
    ["a program in three columns", () => writeHytekProgram(meet, { columns: 3, splitHeats: true })],
    ["a program drawn out of order", () => writeHytekProgram(meet, { columns: 2, scrambled: true })],
    ["a psych sheet in one column", () => writeHytekPsych(meet, { columns: 1 })],
    ["a psych sheet in two columns", () => writeHytekPsych(meet, { columns: 2 })],
    ["a psych sheet in three columns", () => writeHytekPsych(meet, { columns: 3 })],
    ["a TeamUnify program", () => writeTeamUnify(plain)],
    ["a Splash start list", () => writeSplash(plain)],
    ["an EasyWk start list", () => writeEasyWk(plain)],
  ];
  it.each(sheets)("%s", async (_layout, write) => {
    const { pdf, truth } = write();
    const pages = await readSheetPages(folder, pdf);
    expect(pages).toHaveLength(truth.pageCount);
    const words = pages.map((page) => new Set(page.words.map(({ text }) => text.replace(/,$/, ""))));
    expect(truth.rows.length).toBeGreaterThan(100);
    for (const { name, seed, exhibition, page, relay } of truth.rows) {
      const names = [name ?? "", ...(relay?.members ?? []).map((member) => member.name)];
      const said = names.flatMap((text) => text.split(/,? /)).filter((word) => word !== "");
      for (const word of said) expect(words[page - 1]).toContain(word);
      const seeds = [seed, `X${seed}`];
      expect(seeds.some((text) => words[page - 1]?.has(text))).toBe(true);
      if (exhibition) expect([...(words[page - 1] ?? [])].some((word) => /^X|^HC$/.test(word))).toBe(true);
    }
  });

  it("also of sixty pages", async () => {
    const large = makeMeet({ seed: 11, swimmers: 600, events: 110, entries: 70, relays: false });
    const { pdf, truth } = writeHytekProgram(large, { columns: 2, records: true });
    expect(truth.pageCount).toBeGreaterThanOrEqual(60);
    expect(await readSheetPages(folder, pdf)).toHaveLength(truth.pageCount);
  });
});

describe("letters that heat sheets get wrong", () => {
  const read = async (glyphTrouble: "greek" | "lost") => {
    const { pdf } = writeHytekProgram(meet, { columns: 2, glyphTrouble });
    return (await readSheetPages(folder, pdf)).flatMap(({ words }) => words.map(({ text }) => text));
  };

  it("are Greek", async () => {
    expect(await read("greek")).toEqual(expect.arrayContaining(["Griϐϐinϐlint,", "Fiϐϐi"]));
  });

  it("are lost", async () => {
    const words = await read("lost");
    expect(words).toEqual(expect.arrayContaining(["Gri", "in", "lint,"]));
    expect(words).not.toContain("Griffinflint,");
  });
});

describe("what is no heat sheet", () => {
  it("opens, and says what it is", async () => {
    const textOf = async (pdf: Buffer) =>
      (await readSheetPages(folder, pdf)).flatMap(({ words }) => words.map(({ text }) => text)).join(" ");
    expect(await textOf(writeSessionReport(plain).pdf)).toContain("Heat Interval: 25 Seconds / Back +15 Seconds");
    expect(await textOf(writeWarmupDecoy(plain))).toContain("Warm-Up Assignments");
    expect(await textOf(writeResults(plain))).toContain("Quillfeather, Anna");
    expect(await textOf(writeUnknownLayout(plain))).toContain("Anna Quillfeather of");
  });
});

it("the swims of one name are rows of their own and legs of relays", () => {
  const { truth } = writeHytekProgram(meet, { columns: 2 });
  const [relay] = truth.rows.filter((row) => (row.relay?.members.length ?? 0) > 0);
  const member = relay?.relay?.members[1];
  const swims = swimsOf(truth, member?.name ?? "");
  expect(swims).toContainEqual({ row: relay, leg: 2 });
  expect(swims.filter(({ leg }) => leg === null).every(({ row }) => row.name === member?.name)).toBe(true);
});
