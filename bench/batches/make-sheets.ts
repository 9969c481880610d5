/** Small heat sheets of invented meets, no two files alike, and who is looked for in them. */
import type { ModelSheet } from "../../src/heatsheets/model-sheet.ts";
import { writeHytekProgram } from "../../test/support/sheets/hytek-program.ts";
import { type Meet, makeMeet } from "../../test/support/sheets/make-meet.ts";
import { writeUnknownLayout } from "../../test/support/sheets/other-documents.ts";

export interface SheetFile {
  name: string;
  bytes: Uint8Array;
}

export interface SheetBatch {
  swimmer: string;
  files: SheetFile[];
}

export interface MakeBatches {
  batches: number;
  sheets: number;
  /** How many of the batches have sheets that no parser knows. */
  letters: number;
}

/** Two pages, like the sheet of one session of a small meet. */
const size = { swimmers: 60, events: 10, entries: 24, relays: false };

export function makeBatches({ batches, sheets, letters }: MakeBatches): SheetBatch[] {
  const meets = Array.from({ length: sheets }, (_, sheet) => makeMeet({ seed: sheet + 1, ...size }));
  return Array.from({ length: batches }, (_, batch) => {
    const files = meets.map((meet, sheet): SheetFile => {
      // The file's content differs, and with it its hash; how much there is to read does not.
      const own = { ...meet, licensee: `Imaginary Pool ${batch}`, name: `Invented Waters Open ${batch}` };
      const bytes = batch < letters ? writeUnknownLayout(own) : writeHytekProgram(own, { columns: 2 }).pdf;
      return { name: `${batch}-${sheet}.pdf`, bytes };
    });
    return { swimmer: nameInAll(meets, batch), files };
  });
}

/** Somebody who swims in every one of the meets. */
function nameInAll(meets: readonly Meet[], batch: number): string {
  const names = meets.map(
    ({ events }) =>
      new Set(
        events.flatMap(({ heats }) =>
          heats.flatMap(({ lanes }) => lanes.flatMap((entry) => (entry?.swimmer ? [fullName(entry.swimmer)] : []))),
        ),
      ),
  );
  const [first, ...others] = names;
  const shared = [...(first ?? [])].filter((name) => others.every((own) => own.has(name)));
  const chosen = shared[batch % shared.length];
  if (chosen === undefined) throw new Error("nobody swims in all of the invented meets");
  return chosen;
}

function fullName({ first, last }: { first: string; last: string }): string {
  return `${first} ${last}`;
}

/** What a language model answers that was asked for the swimmer named in the question. */
export function answerAsModel(question: string): ModelSheet {
  const swimmerName = /Swimmer: (.+)/.exec(question)?.[1] ?? "";
  return {
    meetName: "Invented Waters Open",
    swims: [{ eventNumber: 1, eventName: "Girls 50 Freestyle", heatNumber: 1, lane: 4, swimmerName, page: 1 }],
  };
}
