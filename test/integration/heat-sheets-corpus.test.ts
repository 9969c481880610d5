/**
 * Real sheets, where they are at hand, against lists of all their rows. They name children: whatever fails says only which
 * row and which of its fields.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findSwimmer } from "../../src/heatsheets/find-swimmer.ts";
import { parseSheet } from "../../src/heatsheets/parse-sheet.ts";
import type { Sheet } from "../../src/heatsheets/sheet.ts";
import { readPdfPages } from "../support/sheets/read-sheet-pages.ts";

const folder = join(import.meta.dirname, "../../../shared/corpus/heatsheets");
const files = existsSync(folder) ? readdirSync(folder) : [];
const listed = files.filter((file) => file.endsWith(".pdf") && files.includes(file.replace(".pdf", ".entries.csv")));
const others = files.filter((file) => file.endsWith(".pdf") && !listed.includes(file));
/** What its text layer lost cannot be read; and its list has the end of an overlong name with the team. */
const losesLetters = (file: string) => file.includes("shark_open");

type Fields = Record<string, string>;

interface Truth {
  swimmers: { name: string; events: { event: number }[] }[];
  names_not_in_document: string[];
}

function readCsv(path: string): Fields[] {
  const [header = [], ...rows] = readFileSync(path, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? "",
      ),
    );
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""])));
}

function toFields(sheet: Sheet): Fields[] {
  return sheet.entries.map((entry) => {
    const event = sheet.events[entry.event];
    const fields = {
      event: event?.number,
      event_name: event?.name,
      round: entry.round,
      heat: entry.heat,
      heats: entry.totalHeats,
      block_heat: entry.blockHeat,
      starts_at: entry.heatStart,
      lane: entry.lane,
      rank: entry.rank,
      name: entry.name,
      age: entry.age,
      birth_year: entry.age,
      team: entry.team,
      relay: entry.relay?.letter,
      seed: `${entry.exhibition ? "X" : ""}${entry.seed ?? ""}`,
      standard: entry.standard,
      page: entry.page,
    };
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]));
  });
}

/** Names of the fields of each row that are not as listed. */
function listDifferences(expected: Fields[], found: Fields[], lenient: boolean): string[] {
  const differ = (one: Fields, other: Fields = {}) => Object.keys(one).filter((field) => one[field] !== other[field]);
  const plain = (row: Fields = {}): Fields => {
    // Where an accent stands apart from its letter, the lists have a space.
    const name = row.name?.replaceAll(" ", "") ?? "";
    if (!lenient) return { ...row, name };
    const { team = "", event_name = "", ...rest } = row;
    const readable = (text: string) => text.replaceAll(/[f ]/g, "");
    return { ...rest, name: readable(name + team), event_name: readable(event_name) };
  };
  return expected.flatMap((row, index) => {
    const fields = differ(plain(row), plain(found[index]));
    return fields.length === 0 ? [] : [`row ${index + 2}: ${fields.join(", ")}`];
  });
}

describe.skipIf(listed.length === 0)("real sheets", () => {
  describe.each(listed)("%s", (file) => {
    let sheet: Sheet;
    let rows: Fields[];
    beforeAll(async () => {
      sheet = parseSheet(await readPdfPages(join(folder, file)));
      rows = readCsv(join(folder, file.replace(".pdf", ".entries.csv")));
    });

    it("give the rows of their list and no other", () => {
      // Lists of start lists in German leave out the relays, which name nobody.
      const teams = rows.some((row) => "relay" in row);
      const found = toFields({ ...sheet, entries: sheet.entries.filter(({ relay }) => teams || relay === null) });
      expect(found.length).toBe(rows.length);
      expect(listDifferences(rows, found, losesLetters(file))).toEqual([]);
    });

    it("give the swimmers of their truth all of their swims, and nobody who is not there", () => {
      const truth: Truth = JSON.parse(readFileSync(join(folder, file.replace(".pdf", ".truth.json")), "utf8"));
      const wrong = truth.swimmers.flatMap(({ name, events }, index) => {
        const { swims, nearMisses } = findSwimmer(sheet, name);
        // A name that lost letters is only near, which the reader is told.
        if (swims.length === 0 && losesLetters(file) && nearMisses.length > 0) return [];
        const found = swims.filter(({ member }) => !member).map(({ entry }) => sheet.events[entry.event]?.number);
        return JSON.stringify(found) === JSON.stringify(events.map(({ event }) => event)) ? [] : [index];
      });
      expect(wrong).toEqual([]);
      const strangers = truth.names_not_in_document.map((name) => findSwimmer(sheet, name).swims.length);
      expect(strangers.every((count) => count === 0)).toBe(true);
    });

    it("give each swimmer's rows to nobody else", () => {
      const wrong: number[] = [];
      const names = [...new Set(sheet.entries.map(({ name }) => name))].filter((name) => name !== null);
      for (const [index, name] of names.entries()) {
        if (index % 7 !== 0) continue;
        const own = sheet.entries.filter((entry) => entry.name === name);
        const { swims } = findSwimmer(sheet, name);
        if (own.some((entry) => !swims.some((swim) => swim.entry === entry && !swim.member))) wrong.push(index);
        if (swims.some(({ entry }) => entry.name !== null && !isSamePerson(name, entry.name))) wrong.push(index);
      }
      expect(wrong).toEqual([]);
    });
  });

  it.each(others)("%s has nobody who swims", async (file) => {
    const sheet = parseSheet(await readPdfPages(join(folder, file)));
    expect(sheet.entries.length).toBe(0);
    if (!file.startsWith("decoy")) expect(sheet.sessions.length).toBeGreaterThan(0);
  });
});

/** One name begins with the other: a middle name, or the end of a long one, is missing. */
function isSamePerson(one: string, other: string): boolean {
  return one === other || one.startsWith(other) || other.startsWith(one);
}
