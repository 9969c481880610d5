/**
 * Heat sheets: how many of the rows in a sheet's list were read, how many of them wholly right, and how many were read that
 * are not there; and whether swimmers get their events. The sheets name children: figures and names of fields are all
 * that is shown.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { findSwimmer } from "../../../src/heatsheets/find-swimmer.ts";
import { parseSheet } from "../../../src/heatsheets/parse-sheet.ts";
import type { Sheet } from "../../../src/heatsheets/sheet.ts";
import { readPdfPages } from "../../../test/support/sheets/read-sheet-pages.ts";
import type { Scenario } from "../../harness/bench.ts";
import { listDocuments, withoutCorpus } from "../../harness/corpus.ts";
import { type RowScore, scoreRows } from "../sheet-scores/score-rows.ts";
import { listSheetRows, readSheetList } from "../sheet-scores/sheet-rows.ts";

/** Its text layer has lost letters: what is not there cannot be read, so those letters are not counted. */
const losesLetters = "hytek_program_2col_shark_open.pdf";
const leastFound = 1;
const leastRight = 1;

interface Truth {
  swimmers: readonly { name: string; events: readonly { event: number }[] }[];
  names_not_in_document: readonly string[];
}

interface Swimmers {
  asked: number;
  /** Got all of their events and no other. */
  right: number;
  /** Are not in the sheet, and were told that they swim. */
  invented: number;
}

interface Scored {
  name: string;
  kind: string;
  rows: RowScore;
  swimmers: Swimmers;
}

export const heatSheets: Scenario = {
  name: "heat-sheets",
  title: "heat sheets: rows against their lists",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const files = (await listDocuments(bench, "heatsheets")).filter((file) => file.endsWith(".pdf"));
    const scored: Scored[] = [];
    for (const file of files) scored.push(await score(file));
    const sum = (of: (one: Scored) => number) => scored.reduce((total, one) => total + of(one), 0);
    const listed = sum(({ rows }) => rows.listed);
    const asked = sum(({ swimmers }) => swimmers.asked);
    const share = (count: number, all: number) => (all === 0 ? undefined : count / all);
    return {
      scenario: this.name,
      measured: [],
      skipped: [],
      tables: [
        {
          title: `${scored.length} sheets; those without a list have nobody who swims`,
          columns: ["sheet", "read as", "listed", "found", "right", "extra", "swimmers", "right", "wrong fields"],
          rows: scored.map(({ name, kind, rows, swimmers }) => [
            name,
            kind,
            String(rows.listed),
            String(rows.found),
            String(rows.right),
            String(rows.extra),
            String(swimmers.asked),
            String(swimmers.right),
            [...rows.wrongFields].map(([field, count]) => `${field} ${count}`).join(", "),
          ]),
        },
      ],
      bars: [
        {
          what: "rows found",
          value: share(
            sum(({ rows }) => rows.found),
            listed,
          ),
          sense: "at least",
          bar: leastFound,
        },
        {
          what: "rows with every field right",
          value: share(
            sum(({ rows }) => rows.right),
            listed,
          ),
          sense: "at least",
          bar: leastRight,
        },
        { what: "rows that are not in the list", value: sum(({ rows }) => rows.extra), sense: "at most", bar: 0 },
        {
          what: "swimmers with exactly their events",
          value: share(
            sum(({ swimmers }) => swimmers.right),
            asked,
          ),
          sense: "at least",
          bar: 1,
        },
        {
          what: "swims of people who are not in the sheet",
          value: sum(({ swimmers }) => swimmers.invented),
          sense: "at most",
          bar: 0,
        },
      ],
    };
  },
};

async function score(file: string): Promise<Scored> {
  const name = basename(file);
  const sheet = parseSheet(await readPdfPages(file));
  const list = file.replace(/\.pdf$/, ".entries.csv");
  const truth = file.replace(/\.pdf$/, ".truth.json");
  const listed = existsSync(list) ? readSheetList(await readFile(list, "utf8")) : [];
  // Lists of start lists in German leave out the relays, which name nobody.
  const entries =
    listed.length > 0 && !("relay" in (listed[0] ?? {})) ? sheet.entries.filter(({ relay }) => !relay) : sheet.entries;
  return {
    name,
    kind: `${sheet.producer ?? "nobody"} ${sheet.kind}`,
    rows: scoreRows(listed, listSheetRows({ ...sheet, entries }), { losesLetters: name === losesLetters }),
    swimmers: existsSync(truth)
      ? askForSwimmers(sheet, JSON.parse(await readFile(truth, "utf8")) as Truth, name === losesLetters)
      : { asked: 0, right: 0, invented: 0 },
  };
}

function askForSwimmers(sheet: Sheet, truth: Truth, mayBeNear: boolean): Swimmers {
  const isRight = ({ name, events }: Truth["swimmers"][number]) => {
    const { swims, nearMisses } = findSwimmer(sheet, name);
    // A name that lost letters is only near, which is what people are told.
    if (swims.length === 0) return mayBeNear && nearMisses.length > 0;
    const found = swims.filter(({ member }) => !member).map(({ entry }) => sheet.events[entry.event]?.number);
    return String(found) === String(events.map(({ event }) => event));
  };
  return {
    asked: truth.swimmers.length,
    right: truth.swimmers.filter(isRight).length,
    invented: truth.names_not_in_document.reduce((sum, name) => sum + findSwimmer(sheet, name).swims.length, 0),
  };
}
