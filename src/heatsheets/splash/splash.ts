/**
 * Start lists of Splash Meet Manager. It prints in the language of the meet: an event is told by its number and
 * distance (`Event 12, Men, 100m Freestyle`), a heat by its word (`Heat 1 of 5`, `Seri 1 / 3`), rows by their order.
 */
import type { PageText } from "../../layout/page.ts";
import { groupRows, type Row } from "../group-rows.ts";
import { orderColumns } from "../order-columns.ts";
import { readDateRange } from "../read-dates.ts";
import { readPrintedAt } from "../read-printed-at.ts";
import type { SheetReader } from "../sheet-reader.ts";
import { isRelayName, StartList } from "../start-list.ts";
import { readHead } from "./read-head.ts";
import { readMembers, readRow } from "./read-row.ts";
import { splitAtGaps } from "./split-at-gaps.ts";

const footer = /Splash Meet Manager/i;
const eventLine = /^\p{L}[\p{L}.]* (\d{1,3}),? .*(?:\d ?[x×] ?)?\d{2,4} ?m\b/u;
/** Page numbers have the same form, so the words are listed. */
const heatWords =
  /^(?:heat|lauf|s[eé]rie|seri|seria|series|batter[ií]a|bater[ií]a|manga|erä|futam|rozplavba|ujumine|skupina|заплыв)$/iu;
const heatLine = /^\p{L}+ (\d{1,3})(?: ?(?:\/|\p{L}{1,4}) ?(\d{1,3}))?(?:,? .*?\b(\d{1,2}:\d{2}))?$/u;
const dayAndTime = /^(\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d{1,2}-\d{1,2})(?: - (\d{1,2}:\d{2}))?(?: |$)/;
const sessionLine = /^(\d{1,2} - .+?) (\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d{1,2}-\d{1,2}) - (\d{1,2}:\d{2})$/;

const beginsHeat = (words: Row["words"], at: number) =>
  heatWords.test(words[at]?.text ?? "") && /^\d{1,3}(?:\/\d{1,3})?$/.test(words[at + 1]?.text ?? "");

export const splash: SheetReader = {
  recognises: (pages) => {
    const rows = pages.flatMap(({ words }) => groupRows(words));
    return (
      rows.some(({ text }) => footer.test(text)) &&
      rows.some(({ text }) => eventLine.test(text)) &&
      rows.some(({ words }) => words.some((_, at) => beginsHeat(words, at)))
    );
  },

  read: (pages) => {
    const list = new StartList();
    const session: { name: string | null; date: string | null } = { name: null, date: null };
    // Of the event or the session that was opened last: the start of the next heat, unless that has its own.
    let startsAt: string | null = null;
    for (const page of pages) {
      for (const row of orderRows(page)) {
        const event = eventLine.exec(row.text);
        const heat = beginsHeat(row.words, 0) ? heatLine.exec(row.text) : null;
        const opened = sessionLine.exec(row.text);
        const day = dayAndTime.exec(row.text);
        if (opened) {
          session.name = opened[1] ?? null;
          session.date = toDay(opened[2]);
          startsAt = toTime(opened[3]);
        } else if (heat) {
          const own = toTime(heat[3]);
          list.openHeat({ number: Number(heat[1]), total: toNumber(heat[2]), startsAt: own ?? startsAt });
          startsAt = null;
        } else if (event) {
          const number = Number(event[1]);
          // On later pages an event is named again, without its age group.
          if (list.event?.number === number) continue;
          const name = readEventName(row);
          const { name: sessionName, date: sessionDate } = session;
          list.openEvent({ number, name, relay: isRelayName(name), sessionDate, sessionName });
        } else if (day && list.event) {
          list.event.sessionDate = toDay(day[1]) ?? list.event.sessionDate;
          startsAt = toTime(day[2]) ?? startsAt;
        } else if (list.event && !footer.test(row.text)) {
          readEntry(list, row, page.page);
        }
      }
    }
    const foot = groupRows(pages[0]?.words ?? []).find(({ text }) => footer.test(text));
    return list.toSheet("splash", pages.length, {
      ...readHead(pages[0], (text) => eventLine.test(text) || sessionLine.test(text)),
      printedAt: foot ? readPrintedAt(foot.text, "dmy") : null,
    });
  },
};

function orderRows({ words }: PageText): Row[] {
  return orderColumns(words, {
    beginsHeading: beginsHeat,
    isAcross: ({ text }) => eventLine.test(text) || sessionLine.test(text) || dayAndTime.test(text),
  });
}

function readEntry(list: StartList, row: Row, page: number): void {
  if (!list.event) return;
  const fields = readRow(row, list.event.relay);
  if (fields) list.addRow(fields, row, page);
  else if (list.event.relay) list.addMembers(readMembers(row), page);
}

/** Sex and event, and the age group, which stands apart. */
function readEventName(row: Row): string {
  const [, , ...rest] = row.words;
  return splitAtGaps(rest)
    .map((words) => words.map(({ text }) => text).join(" "))
    .join(", ")
    .replace(/^[,\s]+/, "");
}

const toNumber = (text: string | undefined) => (text === undefined ? null : Number(text));
const toDay = (text = "") => readDateRange(text, "dmy")?.from ?? null;
const toTime = (text: string | undefined) => text?.padStart(5, "0") ?? null;
