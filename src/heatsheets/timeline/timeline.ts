/**
 * Timelines say when events start and name no swimmers: HY-TEK's session reports, and the tables of time, number,
 * event and heats that meets print from a browser.
 */
import type { PageText } from "../../layout/page.ts";
import { groupRows, type Row } from "../group-rows.ts";
import type { SheetReader } from "../sheet-reader.ts";
import { isSessionReport, readSessionReport } from "./read-session-report.ts";
import { isTimeTable, readTimeTable } from "./read-time-table.ts";

export const timeline: SheetReader = {
  recognises: (pages) => {
    const rows = toRows(pages);
    return isSessionReport(rows) || isTimeTable(rows);
  },

  read: (pages) => {
    const rows = toRows(pages);
    const report = isSessionReport(rows);
    const about = report ? readSessionReport(rows) : readTimeTable(rows);
    const [only, ...others] = about.sessions;
    const one = others.length === 0 ? only : undefined;
    return {
      kind: "timeline",
      producer: report ? "hytek" : null,
      sessionName: one?.name ?? null,
      sessionDate: one?.date ?? null,
      venue: null,
      pageCount: pages.length,
      events: [],
      entries: [],
      warnings: [],
      ...about,
    };
  },
};

function toRows(pages: readonly PageText[]): Row[] {
  return pages.flatMap(({ words }) => groupRows(words));
}
