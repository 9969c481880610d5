/** Rows of the truth about a made-up meet, before it is known what a layout leaves out or prints another way. */
import type { MeetEntry, MeetEvent } from "./make-meet.ts";
import { listedName } from "./people.ts";
import type { TruthRow } from "./sheet-truth.ts";

export function truthOf(
  event: MeetEvent,
  entry: MeetEntry,
  facts: Partial<TruthRow> & { eventName: string },
): TruthRow {
  const { swimmer, relay } = entry;
  return {
    eventNumber: event.number,
    round: null,
    heat: null,
    totalHeats: null,
    blockHeat: null,
    heatStart: null,
    lane: null,
    rank: null,
    alternate: false,
    name: swimmer ? listedName(swimmer) : null,
    age: swimmer ? String(swimmer.age) : null,
    sex: swimmer && event.sex === "Mixed" ? swimmer.sex : null,
    team: (swimmer ?? relay)?.team.code ?? "",
    seed: entry.seed,
    exhibition: entry.exhibition,
    standard: entry.standard,
    relay: relay && {
      letter: relay.letter,
      members: relay.members.map((member, index) => ({
        name: listedName({ ...member, initial: null }),
        age: String(member.age),
        leg: index + 1,
      })),
    },
    page: 0,
    ...facts,
  };
}
