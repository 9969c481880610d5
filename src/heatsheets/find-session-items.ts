/** Finds where timelines list an event. Timelines of a batch may be of another meet, or of another day of this one. */
import { canBeSameEvent, describeEvent } from "./describe-event.ts";
import type { SessionItem, SheetSession } from "./sheet.ts";

export interface ListedItem {
  session: SheetSession;
  item: SessionItem;
}

interface Wanted {
  number: number;
  name: string;
  date: string | null;
  session: string | null;
}

/**
 * The items of the event, those of the likeliest session first. Numbers alone prove nothing: distance, stroke and sex
 * must agree where both sides name them, and so must the day.
 */
export function findSessionItems(event: Wanted, timelines: readonly SheetSession[]): ListedItem[] {
  const wanted = describeEvent(event.name);
  const found = timelines.flatMap((session) => {
    if (event.date !== null && session.date !== null && event.date !== session.date) return [];
    return session.items
      .filter(({ eventNumber, eventName }) => {
        return eventNumber === event.number && canBeSameEvent(wanted, describeEvent(eventName));
      })
      .map((item) => ({ session, item }));
  });
  return found.sort((a, b) => likeness(b.session, event) - likeness(a.session, event));
}

/** A day that is known to agree says more than any words that two names share. */
const sameDay = 10;

function likeness(session: SheetSession, event: Wanted): number {
  const named = wordsOf(event.session);
  const shared = [...wordsOf(session.name)].filter((word) => named.has(word)).length;
  return shared + (session.date !== null && session.date === event.date ? sameDay : 0);
}

function wordsOf(name: string | null): Set<string> {
  return new Set((name ?? "").toLowerCase().match(/[\p{L}\d]+/gu) ?? []);
}
