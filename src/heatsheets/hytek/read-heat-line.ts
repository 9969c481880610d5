/** The line a heat starts with: its number, of how many, the round, when it starts, and of which event it is where that is in doubt. */
import { readTimeOfDay } from "../read-time-of-day.ts";
import { nameEvents } from "./read-event-line.ts";
import { repairTerms } from "./repair-text.ts";

export interface HeatLine {
  /** As printed first in the line. */
  number: number;
  total: number | null;
  round: string | null;
  /** HH:MM, of 24 hours. */
  start: string | null;
  /** "(#3 Girls 10 & Under 50 …": the event it goes on with, its name possibly cut or missing. */
  of: { number: number; name: string }[];
  /** "(Heat 2 Girls 800 Free)": the heat within its event, where heats of two events alternate. */
  inner: { number: number; eventName: string } | null;
}

const innerHeat = /\(\s*Heat\s+(\d{1,3})\s+([^()]+)\)?/i;
const ofEvent = /\(\s*#\s*(\d{1,4})[A-Z]?(?:\s*\/\s*(\d{1,4})[A-Z]?)?\s*([^()]*(?:\([^()]*\)[^()]*)*)\)?/i;
const startsAt = /\bStarts\s+at\s+(\d{1,2}:\d{2})(?:\s*([AP])\.?M\b\.?)?/i;

export function readHeatLine(text: string): HeatLine | null {
  // OCR leaves the narrow spaces around "of" out.
  const [, number, total, rest = ""] =
    /^Heat\s+(\d{1,3})(?:\s*of\s*(\d{1,3})(?!\S)|(?!\S))(.*)$/i.exec(repairTerms(text)) ?? [];
  if (number === undefined) return null;
  // In this order: the name of an event that was cut has no end of its own.
  const start = takeOut(startsAt, rest);
  const inner = takeOut(innerHeat, start.left);
  const event = takeOut(ofEvent, inner.left);
  const round = event.left.replace(/\s+/g, " ").trim();
  return {
    number: Number(number),
    total: total === undefined ? null : Number(total),
    round: round === "" ? null : round,
    start: readStart(start.found),
    of: readEvents(event.found),
    inner: inner.found && { number: Number(inner.found[1]), eventName: (inner.found[2] ?? "").trim() },
  };
}

function takeOut(form: RegExp, text: string): { found: RegExpExecArray | null; left: string } {
  return { found: form.exec(text), left: text.replace(form, " ") };
}

function readStart(found: RegExpExecArray | null): string | null {
  const [, time = "", half] = found ?? [];
  return readTimeOfDay(half === undefined ? time : `${time} ${half}M`) ?? null;
}

function readEvents(found: RegExpExecArray | null): HeatLine["of"] {
  if (!found) return [];
  const [, number, second, name = ""] = found;
  return nameEvents(Number(number), second === undefined ? null : Number(second), name.trim());
}
