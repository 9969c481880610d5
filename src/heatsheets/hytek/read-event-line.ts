/** The line an event starts with, or is continued with in the next column or on the next page. */
import type { EventSex } from "./read-age.ts";
import { repairTerms } from "./repair-text.ts";

interface EventLine {
  /** Two where the heats of two events alternate: "Event 21 / 22 Girls / Boys 13-14 800 Free". */
  events: { number: number; name: string }[];
  /** Printed again over the rest of its rows; the name may be cut. */
  continued: boolean;
}

const line = /^(Event\s*#?|#)\s*(\d{1,4})[A-Z]?(?:\s*\/\s*(\d{1,4})[A-Z]?)?\s*(\.{2,3}|…)?\s*(\()?\s*(\S.*)$/;
const sexWords = "Girls|Boys|Women|Men|Mixed|Female|Male|Open|Coed";
const startsWithSex = new RegExp(`^(?:${sexWords})\\b`, "i");
const bothSexes = new RegExp(`^(${sexWords})\\s*\\/\\s*(${sexWords})\\s+(.*)$`, "i");
const strokes = /\b(?:Free|Freestyle|Back|Backstroke|Breast|Breaststroke|Fly|Butterfly|IM|Medley|Relay|Diving)\b/i;
const course = /\b\d{2,4}\s+(?:Yard|(?:[LS]C\s+)?Met(?:er|re))/i;

export function readEventLine(text: string): EventLine | null {
  const [, mark = "", number, second, dots, paren, rest = ""] = line.exec(repairTerms(text)) ?? [];
  if (number === undefined) return null;
  const continued = dots !== undefined || paren !== undefined;
  const name = (continued ? rest.replace(/\)\s*$/, "") : rest).replace(/\s+/g, " ").trim();
  // Whatever follows "Event 12" ends event 11, even in words unknown here: its heats must not be taken for those of 11.
  const isName = mark.startsWith("E") ? /\p{L}/u.test(name) : startsWithSex.test(name) || course.test(name);
  if (!isName) return null;
  return { events: nameEvents(Number(number), second === undefined ? null : Number(second), name), continued };
}

export function nameEvents(number: number, second: number | null, name: string): EventLine["events"] {
  if (second === null) return [{ number, name }];
  const [, first, other, rest] = bothSexes.exec(name) ?? [];
  if (rest === undefined) return [number, second].map((each) => ({ number: each, name }));
  return [
    { number, name: `${first} ${rest}` },
    { number: second, name: `${other} ${rest}` },
  ];
}

/** Whether the line was too narrow for its name, which then goes on below. */
export function lacksStroke(name: string): boolean {
  return !strokes.test(name);
}

export function startsWithStroke(text: string): boolean {
  return text.search(strokes) === 0;
}

export function isRelay(name: string): boolean {
  return /\bRelay\b/i.test(name);
}

export function sexOf(name: string): EventSex {
  if (/^(?:Girls|Women|Female)\b/i.test(name)) return "W";
  if (/^(?:Boys|Men|Male)\b/i.test(name)) return "M";
  return "mixed";
}
