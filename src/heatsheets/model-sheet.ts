/**
 * What a language model is asked of a sheet whose layout is not known, and what of its answer is believed: only swims of
 * the swimmer that was asked for, under a name that stands in the sheet's own text, with times that stand there too.
 */
import { z } from "zod";
import { isQualifiedBy } from "./find-swimmer.ts";
import { matchName, parseWanted } from "./match-name.ts";
import { occursIn } from "./occurs-in.ts";
import type { Swim } from "./swim.ts";

const ModelSwim = z.object({
  eventNumber: z.int().min(0).describe("The number of the event."),
  eventName: z.string().describe("The event as printed: sex, age group, distance, stroke."),
  heatNumber: z.int().min(1).optional().describe("The heat. Leave out in a ranked list without heats."),
  totalHeats: z.int().min(1).optional(),
  lane: z.int().min(0).max(10).optional().describe("The lane. A rank in a psych sheet is no lane."),
  rank: z.int().min(1).optional().describe("The place in a ranked list without lanes."),
  swimmerName: z.string().describe("The swimmer's name exactly as printed."),
  age: z.string().optional(),
  team: z.string().optional(),
  seedTime: z.string().optional().describe("The entry time exactly as printed, NT included."),
  heatStartTime: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .describe("When the heat starts, as HH:MM of 24 hours, only if it is printed."),
  sessionDate: z.iso.date().optional().describe("The day, as YYYY-MM-DD, only if it is printed."),
  page: z.int().min(1).describe("The page on which it stands."),
});

export const ModelSheet = z.object({
  meetName: z.string().optional(),
  venue: z.string().optional(),
  meetStart: z.iso.date().optional().describe("First day of the meet, YYYY-MM-DD."),
  meetEnd: z.iso.date().optional().describe("Last day of the meet, YYYY-MM-DD."),
  swims: z.array(ModelSwim).describe("Every swim of this swimmer, and of nobody else."),
});
export type ModelSheet = z.infer<typeof ModelSheet>;

export const modelInstructions =
  "You read start lists of swimming meets. You are given one and the name of a swimmer. List every swim of this swimmer: " +
  "event, heat, lane, entry time. Copy what is printed; leave out what is not. A swimmer with a similar name is somebody " +
  "else. If the document lists results instead of entries, or the swimmer is not in it, the list of swims is empty.";

export interface BelievedSheet {
  swims: Swim[];
  warnings: string[];
}

export function believeModel({ swims, ...sheet }: ModelSheet, swimmerName: string, content: string): BelievedSheet {
  const { qualifier } = parseWanted(swimmerName);
  const theirs = swims.filter(
    ({ swimmerName: printed, age = null, team = null }) =>
      matchName(swimmerName, printed) === "same" &&
      occursIn(content, printed) &&
      (qualifier === null || isQualifiedBy({ age, team }, qualifier)),
  );
  const dropped = swims.length - theirs.length;
  // A model that lists a swim a second time has not found another one.
  const believed = [...new Map(theirs.map((swim) => [placeOf(swim), swim])).values()];
  const { meetStart = null, meetEnd = meetStart } = sheet;
  const meetDay = meetStart === meetEnd ? meetStart : null;
  const squeezed = content.replace(/\s+/g, "");
  const stands = (text: string) => squeezed.includes(text.replace(/\s+/g, ""));
  return {
    swims: believed.map(({ page, sessionDate, heatNumber, lane, seedTime, ...swim }) => ({
      ...swim,
      heatNumber: heatNumber ?? null,
      lane: heatNumber === undefined ? null : (lane ?? null),
      ...(seedTime !== undefined && stands(seedTime) && { seedTime }),
      sessionDate: sessionDate ?? meetDay,
      source: { page, bbox: null, by: "model" },
    })),
    warnings: [
      "The layout of this sheet is not known; a language model has read it. Check it against the sheet.",
      ...(dropped > 0
        ? [
            `${dropped} of the model's swims were left out: they are somebody else's, or their names are not in the sheet.`,
          ]
        : []),
    ],
  };
}

function placeOf({ eventNumber, eventName, heatNumber, lane, rank }: ModelSheet["swims"][number]): string {
  return JSON.stringify([eventNumber, eventName, heatNumber, lane, rank]);
}
