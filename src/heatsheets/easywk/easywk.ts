/**
 * Start lists of EasyWk, as German meets publish them: `Wettkampf 2 - 100m Schmetterling männlich`, below it
 * `Lauf 3/4 (ca. 08:59 Uhr)`, below that rows of lane, swimmer, year of birth, club and entry time.
 */
import type { PageText } from "../../layout/page.ts";
import { groupRows, type Row } from "../group-rows.ts";
import { readDateRange } from "../read-dates.ts";
import { readPrintedAt } from "../read-printed-at.ts";
import type { DateRange, SheetEvent } from "../sheet.ts";
import type { SheetReader } from "../sheet-reader.ts";
import { isRelayName, StartList } from "../start-list.ts";
import { readRow } from "./read-row.ts";

const eventLine = /^(?:noch )?Wettkampf (\d+) - (.+)$/;
const heatLine = /^Lauf (\d+)(?:\/(\d+))?(?: \((?:ca\. ?)?(\d{1,2}:\d{2})(?: Uhr)?\))?$/;
const headerLine = /^Bahn .*\bMeldezeit\b/;
const sessionLine = /^Abschnitt (\d+)\b(?:.*?(\d{1,2}\.\d{1,2}\.\d{4}))?/;
const sessionStart = /\bBeginn: ?(\d{1,2}:\d{2})/;

export const easywk: SheetReader = {
  recognises: (pages) => {
    const texts = pages.flatMap((page) => groupRows(page.words).map(({ text }) => text));
    const prints = (form: RegExp) => texts.some((text) => form.test(text));
    return prints(eventLine) && prints(heatLine) && prints(headerLine);
  },

  read: (pages) => {
    const list = new StartList();
    const session: { name: string | null; date: string | null; startsAt: string | null } = {
      name: null,
      date: null,
      startsAt: null,
    };
    let header: Row | undefined;
    for (const { page, words } of pages) {
      for (const row of groupRows(words)) {
        const event = eventLine.exec(row.text);
        const heat = heatLine.exec(row.text);
        const opened = sessionLine.exec(row.text);
        const begin = sessionStart.exec(row.text)?.[1];
        if (event) list.openEvent(toEvent(event, session));
        else if (heat) {
          // The start of a session is that of its first heat.
          list.openHeat(toHeat(heat, session.startsAt));
          session.startsAt = null;
        } else if (opened) {
          session.name = `Abschnitt ${opened[1]}`;
          session.date = readDateRange(opened[2] ?? "")?.from ?? null;
          session.startsAt = null;
        } else if (begin !== undefined) session.startsAt = begin.padStart(5, "0");
        else if (headerLine.test(row.text)) header = row;
        else {
          const fields = readRow(row, header, list.event);
          if (fields) list.addRow(fields, row, page);
        }
      }
    }
    return list.toSheet("easywk", pages.length, {
      meetName: findMeetName(pages),
      meetDates: findMeetDates(pages),
      venue: findVenue(pages),
      printedAt: findPrintedAt(pages),
    });
  },
};

function toEvent(found: RegExpExecArray, session: { name: string | null; date: string | null }): SheetEvent {
  const name = found[2] ?? "";
  return {
    number: Number(found[1]),
    name,
    relay: isRelayName(name),
    sessionDate: session.date,
    sessionName: session.name,
  };
}

function toHeat([, number, total, startsAt]: RegExpExecArray, sessionStartsAt: string | null) {
  return {
    number: Number(number),
    total: total === undefined ? null : Number(total),
    startsAt: startsAt?.padStart(5, "0") ?? sessionStartsAt,
  };
}

/** The head of every page but the cover: the name at the left, the number of the page at the right. */
function findMeetName(pages: readonly PageText[]): string | null {
  for (const { words } of pages) {
    const name = /^(.+) Seite \d+$/.exec(groupRows(words)[0]?.text ?? "")?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** On the cover: `vom 03.12.2022 bis 04.12.2022`, or `am 03.12.2022`. */
function findMeetDates(pages: readonly PageText[]): DateRange | null {
  const line = groupRows(pages[0]?.words ?? []).find(({ text }) => /^(?:vom|am) \d{1,2}\.\d{1,2}\.\d{4}/.test(text));
  return line ? readDateRange(line.text) : null;
}

/** At the foot of the cover: `Stand: 01.12.2022, 18:41:35 Uhr erzeugt mit EasyWk`. */
function findPrintedAt(pages: readonly PageText[]): string | null {
  const line = groupRows(pages[0]?.words ?? []).find(({ text }) => text.startsWith("Stand:"));
  return line ? readPrintedAt(line.text, "dmy") : null;
}

/** In points: the address is centred below its heading and may begin left of it; three lines, 17 apart. */
const addressReach = { left: 60, below: 60 };

function findVenue(pages: readonly PageText[]): string | null {
  const words = pages[0]?.words ?? [];
  const heading = words.find(({ text }) => text === "Schwimmbad-Adresse")?.box;
  if (!heading) return null;
  const address = words.filter(
    ({ box }) =>
      box.x > heading.x - addressReach.left &&
      box.y > heading.y + heading.height / 2 &&
      box.y < heading.y + addressReach.below,
  );
  const lines = groupRows(address).map(({ text }) => text);
  return lines.length > 0 ? lines.join(", ") : null;
}
