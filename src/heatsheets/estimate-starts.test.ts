import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateStart, type HeatPlan, heatPlan } from "./estimate-starts.ts";
import type { SessionItem, Sheet, SheetEntry, SheetSession } from "./sheet.ts";

interface HeatOf {
  event: number;
  heat: number;
  seeds: readonly string[];
  startsAt?: string;
  round?: string;
}

function sheetOf(events: readonly string[], heats: readonly HeatOf[], sessionDate: string | null = null): Sheet {
  const entries = heats.flatMap(({ event, heat, seeds, startsAt, round }) =>
    seeds.map(
      (seed): SheetEntry => ({
        event,
        heat,
        seed,
        heatStart: startsAt ?? null,
        round: round ?? null,
        totalHeats: null,
        blockHeat: null,
        lane: 1,
        rank: null,
        alternate: false,
        name: "Sample, Eve",
        age: null,
        sex: null,
        team: null,
        exhibition: false,
        standard: null,
        relay: null,
        page: 1,
        box: { x: 0, y: 0, width: 1, height: 1 },
      }),
    ),
  );
  return {
    kind: "program",
    producer: "hytek",
    meetName: null,
    meetDates: null,
    sessionName: null,
    sessionDate,
    venue: null,
    printedAt: null,
    pageCount: 1,
    events: events.map((name, i) => ({ number: i + 1, name, relay: false, sessionDate: null, sessionName: null })),
    entries,
    sessions: [],
    warnings: [],
  };
}

function sessionOf(items: readonly Partial<SessionItem>[], about: Partial<SheetSession> = {}): SheetSession {
  const nothing = { eventName: "", round: null, entries: null, heats: null, startsAt: null, heat: null };
  return {
    number: 1,
    name: null,
    day: null,
    date: null,
    startsAt: null,
    intervalSeconds: null,
    backstrokeExtraSeconds: null,
    ...about,
    items: items.map((item) => ({ eventNumber: 1, ...nothing, ...item })),
  };
}

const free = "Girls 11-12 100 LC Meter Freestyle";
const back = "Girls 11-12 100 LC Meter Backstroke";

describe("heatPlan", () => {
  it("takes the slowest seed, else the median of the event, else what the distance suggests", () => {
    const plan = heatPlan(
      sheetOf(
        [free, "Boys 200 Yard IM"],
        [
          { event: 0, heat: 1, seeds: ["NT", "NT"] },
          { event: 0, heat: 2, seeds: ["1:10.00", "1:30.00Y", "NT"] },
          { event: 0, heat: 3, seeds: ["1:10.00"] },
          { event: 1, heat: 1, seeds: ["NT"] },
        ],
      ),
    );
    expect(plan.heats.map(({ seconds }) => seconds)).toEqual([80, 90, 70, 300]);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it("keeps prelims and finals apart, and a heat together whose round is named only once", () => {
    const plan = heatPlan(
      sheetOf(
        [free],
        [
          { event: 0, heat: 1, seeds: ["1:10.00"], round: "Prelims" },
          { event: 0, heat: 1, seeds: ["1:20.00"] },
          { event: 0, heat: 1, seeds: ["1:05.00"], round: "Finals" },
        ],
      ),
    );
    expect(plan.heats).toMatchObject([
      { heat: 1, round: "Prelims", seconds: 80 },
      { heat: 1, round: "Finals", seconds: 65 },
    ]);
  });
});

describe("estimateStart", () => {
  const heats = [
    { event: 0, heat: 1, seeds: ["2:00.00"] },
    { event: 0, heat: 2, seeds: ["1:40.00"] },
    { event: 1, heat: 1, seeds: ["1:40.00"] },
    { event: 1, heat: 2, seeds: ["1:40.00"] },
  ];
  const plan = heatPlan(sheetOf([free, back], heats));
  const withStart = (startsAt: string) =>
    heatPlan(sheetOf([free, back], [{ ...(heats[0] as HeatOf), startsAt }, ...heats.slice(1)]));

  it("gives what is printed", () => {
    expect(estimateStart(withStart("09:00"), { eventNumber: 1, heat: 1 }, [])).toEqual({
      time: "09:00",
      estimated: false,
    });
  });

  it("adds up the heats since the last start that is printed", () => {
    const printed = withStart("09:00");
    expect(estimateStart(printed, { eventNumber: 1, heat: 2 }, [])).toEqual({ time: "09:02", estimated: true });
    expect(estimateStart(printed, { eventNumber: 2, heat: 2 }, [])).toEqual({ time: "09:06", estimated: true });
    expect(estimateStart(printed, { eventNumber: 2, heat: 2 }, [], { intervalSeconds: 60 })?.time).toBe("09:08");
  });

  it("takes a heat's own start from a timeline as printed", () => {
    const session = sessionOf([{ eventNumber: 2, heat: 2, startsAt: "10:10" }]);
    expect(estimateStart(plan, { eventNumber: 2, heat: 2 }, [session])).toEqual({ time: "10:10", estimated: false });
  });

  it("adds the heats of the event to its start in a timeline, with its intervals", () => {
    const session = sessionOf([{ eventNumber: 2, eventName: "Girls 11-12 100 Backstroke", startsAt: "10:00" }], {
      intervalSeconds: 30,
      backstrokeExtraSeconds: 50,
    });
    expect(estimateStart(plan, { eventNumber: 2, heat: 1 }, [session])).toEqual({ time: "10:00", estimated: true });
    expect(estimateStart(plan, { eventNumber: 2, heat: 2 }, [session])).toEqual({ time: "10:03", estimated: true });
  });

  it("counts from the start of the session where only that is known", () => {
    const items = [
      { eventNumber: 1, eventName: free },
      { eventNumber: 2, eventName: back },
    ];
    const session = sessionOf(items, { startsAt: "08:00" });
    expect(estimateStart(plan, { eventNumber: 1, heat: 1 }, [session])).toEqual({ time: "08:00", estimated: true });
    expect(estimateStart(plan, { eventNumber: 2, heat: 1 }, [session])).toEqual({ time: "08:04", estimated: true });
    const later = sessionOf([{ eventNumber: 9 }, ...items], { startsAt: "08:00" });
    expect(estimateStart(plan, { eventNumber: 2, heat: 1 }, [later])).toBeUndefined();
  });

  it("takes the start of a session that lists nothing when the day agrees", () => {
    const dated = heatPlan(sheetOf([free, back], heats, "2026-06-11"));
    const flyer = sessionOf([], { date: "2026-06-11", startsAt: "08:00" });
    expect(estimateStart(dated, { eventNumber: 1, heat: 2 }, [flyer])?.time).toBe("08:02");
    expect(estimateStart(plan, { eventNumber: 1, heat: 2 }, [flyer])).toBeUndefined();
  });

  it("does not take times of other events, days or rounds", () => {
    const other = sessionOf([{ eventNumber: 1, eventName: "Girls 11-12 200 Freestyle", startsAt: "10:00" }]);
    expect(estimateStart(plan, { eventNumber: 1, heat: 1 }, [other])).toBeUndefined();
    const dated = heatPlan(
      sheetOf([free], [{ event: 0, heat: 1, seeds: ["1:00.00"], round: "Prelims" }], "2026-06-11"),
    );
    const nextDay = sessionOf([{ eventNumber: 1, startsAt: "10:00" }], { date: "2026-06-12" });
    const finals = sessionOf([{ eventNumber: 1, startsAt: "17:00", round: "Finals" }]);
    const sameDay = sessionOf([{ eventNumber: 1, startsAt: "08:00" }], { date: "2026-06-11" });
    expect(estimateStart(dated, { eventNumber: 1, heat: 1 }, [nextDay, finals])).toBeUndefined();
    expect(estimateStart(dated, { eventNumber: 1, heat: 1 }, [nextDay, finals, sameDay])?.time).toBe("08:00");
  });

  it("leaves out heats that swim with the finals", () => {
    const distance = heatPlan(
      sheetOf(
        [free],
        [
          { event: 0, heat: 1, seeds: ["1:00.00"], round: "Finals - Swimming with Finals" },
          { event: 0, heat: 2, seeds: ["2:00.00"], round: "Finals" },
          { event: 0, heat: 3, seeds: ["2:00.00"], round: "Finals" },
        ],
      ),
    );
    const morning = sessionOf([{ eventNumber: 1, startsAt: "11:00" }], { name: "Wednesday Prelims" });
    const evening = sessionOf([{ eventNumber: 1, startsAt: "18:00" }], { name: "Wednesday Finals" });
    const startOf = (heat: number, sessions: SheetSession[]) =>
      estimateStart(distance, { eventNumber: 1, heat }, sessions)?.time;
    expect([1, 2, 3].map((heat) => startOf(heat, [morning]))).toEqual([undefined, "11:00", "11:02"]);
    expect(startOf(1, [morning, evening])).toBe("18:00");
  });

  it("does not count heats that swim with the finals", () => {
    const mixed = heatPlan(
      sheetOf(
        [free, back],
        [
          { event: 0, heat: 1, seeds: ["1:00.00"], startsAt: "09:00" },
          { event: 1, heat: 1, seeds: ["9:00.00"], round: "Swimming with Finals" },
          { event: 1, heat: 2, seeds: ["2:00.00"] },
        ],
      ),
    );
    expect(estimateStart(mixed, { eventNumber: 2, heat: 2 }, [])?.time).toBe("09:01");
  });

  it("has no time past midnight, and none for what the sheet does not have", () => {
    expect(estimateStart(withStart("23:58"), { eventNumber: 1, heat: 2 }, [])).toBeUndefined();
    expect(estimateStart(plan, { eventNumber: 1, heat: 9 }, [])).toBeUndefined();
    expect(estimateStart(plan, { eventNumber: 7, heat: 1 }, [])).toBeUndefined();
  });

  it("never lets starts decrease within an event", () => {
    const toTime = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    const heat = fc.record({
      newEvent: fc.boolean(),
      seconds: fc.integer({ min: 20, max: 1500 }),
      /** Minutes after the last start that is printed; undefined where none is. */
      printed: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
      inTimeline: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(heat, { minLength: 1, maxLength: 30 }), (drawn) => {
        const plan: HeatPlan = { events: [], heats: [] };
        const items: Partial<SessionItem>[] = [];
        let clock = 8 * 60;
        for (const { newEvent, seconds, printed, inTimeline } of drawn) {
          if (newEvent || plan.events.length === 0)
            plan.events.push({ number: plan.events.length + 1, name: free, date: null, session: null });
          const event = plan.events.length - 1;
          const number = plan.heats.filter((other) => other.event === event).length + 1;
          clock += printed ?? 0;
          const time = printed === undefined ? null : toTime(clock);
          if (inTimeline) items.push({ eventNumber: event + 1, startsAt: time, heat: number === 1 ? null : number });
          plan.heats.push({
            event,
            heat: number,
            round: null,
            seconds,
            startsAt: inTimeline ? null : time,
            withFinals: false,
          });
        }
        const session = sessionOf(items, { startsAt: "07:30" });
        for (const event of plan.events.keys()) {
          const starts = plan.heats.flatMap((planned) => {
            if (planned.event !== event) return [];
            return estimateStart(plan, { eventNumber: event + 1, heat: planned.heat }, [session])?.time ?? [];
          });
          expect(starts).toEqual([...starts].sort());
        }
      }),
    );
  });
});
