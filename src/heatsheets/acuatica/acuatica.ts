/**
 * Programs of Colombia Acuática: `67 (M) 11Y - 12Y | M`, below it `400m Libre/400m Free`, `Heat # 1 ~ 17:45` and rows
 * `3 11M Name club 7:02.39`, in up to three columns a page.
 */
import type { PageText } from "../../layout/page.ts";
import { groupRows, type Row } from "../group-rows.ts";
import { orderColumns } from "../order-columns.ts";
import { readDateRange } from "../read-dates.ts";
import type { SheetReader } from "../sheet-reader.ts";
import { isRelayName, StartList } from "../start-list.ts";
import { readRow } from "./read-row.ts";

const eventLine = /^(\d{1,4}) (\([MFX]\) .+ \| [MFX])$/;
const distanceLine = /^(?:\d ?[xX] ?)?\d{2,4} ?m\b/i;
const heatLine = /^Heat ?# ?(\d+)(?: ?~ ?(\d{1,2}:\d{2}))?$/;
const sessionLine = /^Session: ?(\d+) (\d{4})-(\p{L}{3,}|\d{1,2})-(\d{1,2})\b/u;
const sessionStart = /\bStart Competition: ?(\d{1,2}:\d{2})/;

export const acuatica: SheetReader = {
  recognises: (pages) => {
    const rows = pages.flatMap(orderRows);
    return rows.some(({ text }) => eventLine.test(text)) && rows.some(({ text }) => heatLine.test(text));
  },

  read: (pages) => {
    const list = new StartList();
    const session: { name: string | null; date: string | null } = { name: null, date: null };
    let startsAt: string | null = null;
    let heading: { number: number; group: string } | undefined;
    const openEvent = (distance: string) => {
      if (!heading) return;
      const { number, group } = heading;
      const name = `${group} ${distance}`.trim();
      const { name: sessionName, date: sessionDate } = session;
      list.openEvent({ number, name, relay: isRelayName(name), sessionDate, sessionName });
      heading = undefined;
    };
    for (const page of pages) {
      for (const row of orderRows(page)) {
        const event = eventLine.exec(row.text);
        const heat = heatLine.exec(row.text);
        const opened = sessionLine.exec(row.text);
        if (opened) {
          const [, number, year, month = "", day] = opened;
          session.name = `Session ${number}`;
          session.date =
            readDateRange(/\d/.test(month) ? `${year}-${month}-${day}` : `${day} ${month} ${year}`)?.from ?? null;
          startsAt = sessionStart.exec(row.text)?.[1]?.padStart(5, "0") ?? null;
        } else if (event) heading = { number: Number(event[1]), group: event[2] ?? "" };
        else if (heading && distanceLine.test(row.text)) openEvent(row.text);
        else if (heat) {
          openEvent("");
          // The start of a session is that of its first heat.
          list.openHeat({ number: Number(heat[1]), total: null, startsAt: heat[2]?.padStart(5, "0") ?? startsAt });
          startsAt = null;
        } else if (list.event) {
          const fields = readRow(row.text, list.event.relay);
          if (fields) list.addRow(fields, row, page.page);
        }
      }
    }
    return list.toSheet("acuatica", pages.length, { meetName: findMeetName(pages) });
  },
};

function orderRows({ words }: PageText): Row[] {
  return orderColumns(words, {
    beginsHeading: (inRow, at) => /^Heat#?$/.test(inRow[at]?.text ?? "") && /^[#\d]/.test(inRow[at + 1]?.text ?? ""),
    isAcross: ({ text }) => sessionLine.test(text) || /ColombiaAcuatica/i.test(text),
  });
}

/** Above the session stand who holds the meet and, as the last line, what it is called. */
function findMeetName(pages: readonly PageText[]): string | null {
  const texts = groupRows(pages[0]?.words ?? []).map(({ text }) => text);
  const session = texts.findIndex((text) => sessionLine.test(text));
  return session < 1 ? null : (texts[session - 1] ?? null);
}
