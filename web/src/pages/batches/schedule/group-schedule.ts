/** A schedule as it is read at the pool: days, in them sessions, in them swims. The order of the swims is the server's. */
import type { SwimEvent } from "../../../../../src/contract/batches.ts";

export interface ScheduleSession {
  /** Null where the sheets name none. */
  name: string | null;
  meet: string | null;
  events: SwimEvent[];
}

export interface ScheduleDay {
  /** YYYY-MM-DD; null where the sheets do not say. */
  date: string | null;
  sessions: ScheduleSession[];
}

/** What a schedule needs to know of a sheet. */
export interface ScheduleSource {
  sequence: number;
  filename: string | null;
  meetName: string | null;
}

export function groupSchedule(events: readonly SwimEvent[], sources: readonly ScheduleSource[]): ScheduleDay[] {
  const meetOf = new Map(sources.map(({ sequence, meetName }) => [sequence, meetName]));
  const days = new Map<string | null, Map<string, ScheduleSession>>();
  for (const event of events) {
    const meet = meetOf.get(event.source.sequence) ?? null;
    const day = days.get(event.sessionDate) ?? new Map<string, ScheduleSession>();
    days.set(event.sessionDate, day);
    const name = event.sessionName ?? null;
    const key = JSON.stringify([meet, name]);
    const session: ScheduleSession = day.get(key) ?? { name, meet, events: [] };
    day.set(key, session);
    session.events.push(event);
  }
  return [...days].map(([date, sessions]) => ({ date, sessions: [...sessions.values()] }));
}
