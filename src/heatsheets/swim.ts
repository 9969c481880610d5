/** One swim of a swimmer as a sheet has it, before it is known as which of a batch's sheets. */
import type { SwimEvent, SwimSource } from "../contract/batches.ts";
import type { RelayMember, Sheet, SheetEntry } from "./sheet.ts";

export type Swim = Omit<SwimEvent, "source"> & { source: Omit<SwimSource, "sequence"> };

/** A row of a sheet as a swim: the row's own, or that of one of its relay's members. */
export function toSwim(sheet: Sheet, entry: SheetEntry, member?: RelayMember): Swim {
  const event = sheet.events[entry.event];
  const sessionName = event?.sessionName ?? sheet.sessionName;
  const age = member ? member.age : entry.age;
  return {
    eventNumber: event?.number ?? 0,
    eventName: event?.name ?? "",
    heatNumber: entry.heat,
    ...given("totalHeats", entry.totalHeats),
    lane: entry.lane,
    ...given("rank", entry.rank),
    ...(entry.alternate && { alternate: true as const }),
    swimmerName: member?.name ?? entry.name ?? "",
    ...given("age", age),
    ...given("team", entry.team),
    ...given("seedTime", entry.seed),
    ...(entry.exhibition && { exhibition: true as const }),
    ...given("round", entry.round),
    ...given("heatStartTime", entry.heatStart),
    sessionDate: event?.sessionDate ?? sheet.sessionDate,
    ...given("sessionName", sessionName),
    ...(member && {
      relay: {
        team: entry.team,
        ...given("letter", entry.relay?.letter ?? null),
        leg: member.leg,
        members: entry.relay?.members.map(({ name }) => name) ?? [],
      },
    }),
    source: { page: entry.page, bbox: entry.box, by: "parser" },
  };
}

/** What a sheet does not say is left out, not null. */
function given<Name extends string, Value>(name: Name, value: Value | null): { [K in Name]?: Value } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: Value });
}
