/** Programs of TeamUnify's TouchPad: laid out in HY-TEK's manner, with short names of events ("#1 Girls 10 & Under 50 Free"). */
import { groupRows } from "../group-rows.ts";
import { readHeader } from "../hytek/read-header.ts";
import { readProgram } from "../hytek/read-program.ts";
import type { SheetReader } from "../sheet-reader.ts";

const event =
  /(?:^|\s)#\s?\d{1,4}\s+(?:Girls|Boys|Women|Men|Mixed)\s.*\b\d{2,4}\s+(?:Free|Back|Breast|Fly|IM|Medley)\b(?!\s*stroke)/;

export const teamunify: SheetReader = {
  recognises(pages) {
    const rows = pages.flatMap(({ words }) => groupRows(words));
    return rows.some(({ text }) => event.test(text)) && rows.some((row) => readHeader(row)?.lanes);
  },
  read: (pages) => readProgram(pages, "teamunify"),
};
