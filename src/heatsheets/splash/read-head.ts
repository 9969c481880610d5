/** Reads the head of a Splash list: the meet's name, below it the town and the days (`Musterstadt, 19. - 20.9.2026`). */
import type { PageText } from "../../layout/page.ts";
import { groupRows } from "../group-rows.ts";
import { readDateRange } from "../read-dates.ts";
import type { DateRange, Sheet } from "../sheet.ts";

const notAName = /Splash Meet Manager|Registered to|www\.|@|^\d+$|\b(?:page|seite|strona|pagina|página|sida|sayfa) \d/i;
const placeAndDays = /^(.*?),? (\d[\d./ -]*\d{4})$/;

export function readHead(
  page: PageText | undefined,
  endsHead: (text: string) => boolean,
): Pick<Sheet, "meetName" | "meetDates" | "venue"> {
  const texts = groupRows(page?.words ?? []).map(({ text }) => text);
  const end = texts.findIndex(endsHead);
  const head = texts.slice(0, end === -1 ? 0 : end).filter((text) => !notAName.test(text));
  for (const [i, text] of head.entries()) {
    const [, place, days] = placeAndDays.exec(text) ?? [];
    const meetDates = days === undefined ? null : readDays(days);
    if (meetDates) return { meetName: head[i - 1] ?? null, meetDates, venue: place || null };
  }
  return { meetName: head[0] ?? null, meetDates: null, venue: null };
}

/** `10.05.2026`, `19. - 20.9.2026`, `30.4. - 2.5.2026`, `30.12.2026 - 2.1.2027`. */
function readDays(printed: string): DateRange | null {
  const found = /^(?:(\d{1,2})[./]?(?:(\d{1,2})[./]?(?:(\d{4}))?)? ?- ?)?(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(
    printed,
  );
  if (!found) return null;
  const [, firstDay, firstMonth, firstYear, day, month, year] = found;
  const to = toDay(day, month, year);
  const from = firstDay === undefined ? to : toDay(firstDay, firstMonth ?? month, firstYear ?? year);
  return from !== undefined && to !== undefined && from <= to ? { from, to } : null;
}

const toDay = (day = "", month = "", year = "") => readDateRange(`${day}.${month}.${year}`)?.from;
