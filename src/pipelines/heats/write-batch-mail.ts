/** The message that a batch has ended: the schedule in plain text, what is missing, and where to see it all. */
import type { BatchResults, MergedSwimEvent } from "../../contract/batches.ts";

export interface BatchMail {
  subject: string;
  text: string;
}

export function writeBatchMail(results: BatchResults, link: string): BatchMail {
  const { swimmerName, totalEvents, events, warnings, failedSources } = results;
  const count = totalEvents === 1 ? "1 event" : `${totalEvents} events`;
  const sections = [
    `${swimmerName}: ${count}`,
    writeSchedule(events),
    section("Not read", failedSources, ({ filename, errorMessage }) => `${filename ?? "sheet"}: ${errorMessage}`),
    section("Please note", warnings, (warning) => warning),
    `All of it, with a calendar file: ${link}`,
  ];
  return { subject: `${swimmerName}: ${count}`, text: `${sections.filter(Boolean).join("\n\n")}\n` };
}

/** Days one after the other, a line a swim. */
function writeSchedule(events: readonly MergedSwimEvent[]): string {
  const days = new Map<string, string[]>();
  for (const event of events) {
    const day = event.sessionDate ?? "Day not known";
    days.set(day, [...(days.get(day) ?? []), describeSwim(event)]);
  }
  return [...days].map(([day, lines]) => [day, ...lines.map((line) => `  ${line}`)].join("\n")).join("\n\n");
}

export function describeSwim(swim: MergedSwimEvent): string {
  const { eventNumber, eventName, heatNumber, totalHeats, lane, rank, seedTime, heatStartTime, estimated } = swim;
  const start = heatStartTime === undefined ? "--:--" : heatStartTime;
  const heat = heatNumber === null ? "" : `heat ${heatNumber}${totalHeats === undefined ? "" : ` of ${totalHeats}`}`;
  const place = [
    heat,
    lane === null ? "" : `lane ${lane}`,
    rank === undefined ? "" : `${swim.alternate ? "alternate" : "rank"} ${rank}`,
    swim.relay ? `relay ${swim.relay.letter ?? ""} leg ${swim.relay.leg}`.replace(/\s+/g, " ") : "",
    seedTime === undefined ? "" : `seed ${seedTime}`,
  ];
  return `${estimated ? "~" : " "}${start}  #${eventNumber} ${eventName}: ${place.filter(Boolean).join(", ")}`;
}

function section<Item>(title: string, items: readonly Item[], write: (item: Item) => string): string {
  return items.length === 0 ? "" : [`${title}:`, ...items.map((item) => `  ${write(item)}`)].join("\n");
}
