/** What a sheet says of itself, as it is kept with a result: where it is from, for which day, and which issue it is. */
import type { SheetFacts } from "../contract/batches.ts";
import type { ModelSheet } from "./model-sheet.ts";
import type { DateRange, Sheet, SheetKind } from "./sheet.ts";

export interface KeptFacts {
  kind: SheetKind;
  meetName: string | null;
  meetDates: DateRange | null;
  sessionDate: string | null;
  venue: string | null;
  /** When this issue was printed, as local time without a zone; null where it does not say. */
  printedAt: string | null;
}

/** Of what the parser found, and where it does not know the layout, of what the model says. */
export function keepFacts(sheet: Sheet, answer: ModelSheet | null): KeptFacts {
  const { meetStart, meetEnd = meetStart } = answer ?? {};
  const answered = meetStart && meetEnd ? { from: meetStart, to: meetEnd } : null;
  const meetDates = sheet.meetDates ?? answered;
  const onlyDay = meetDates && meetDates.from === meetDates.to ? meetDates.from : null;
  return {
    kind: sheet.kind,
    meetName: sheet.meetName ?? answer?.meetName ?? null,
    meetDates,
    sessionDate: sheet.sessionDate ?? onlyDay,
    venue: sheet.venue ?? answer?.venue ?? null,
    printedAt: sheet.printedAt,
  };
}

export function toSheetFacts({ meetName, meetDates, sessionDate, venue }: KeptFacts): SheetFacts {
  const range = meetDates && (meetDates.from === meetDates.to ? meetDates.from : `${meetDates.from} - ${meetDates.to}`);
  return { meetName, sessionDate, meetDateRange: range, venue };
}
