import { describe, expect, it } from "vitest";
import { mergeSwims, type SheetSwims } from "./merge-swims.ts";
import type { SheetSession } from "./sheet.ts";
import type { KeptFacts } from "./sheet-facts.ts";
import type { Swim } from "./swim.ts";

const meetDates = { from: "2031-06-14", to: "2031-06-15" };

function makeSwim(changes: Partial<Swim> = {}): Swim {
  return {
    eventNumber: 7,
    eventName: "Girls 11-12 50 Freestyle",
    heatNumber: 2,
    lane: 3,
    swimmerName: "Fernwright, Zoë",
    team: "OTTR-XX",
    age: "12",
    sessionDate: "2031-06-14",
    source: { page: 1, bbox: null, by: "parser" },
    ...changes,
  };
}

const ranked = (changes: Partial<Swim> = {}) => makeSwim({ heatNumber: null, lane: null, rank: 9, ...changes });

function makeSheet(sequence: number, swims: Swim[], facts: Partial<KeptFacts> = {}): SheetSwims {
  return {
    sequence,
    facts: {
      kind: "program",
      meetName: "Invented Waters Open",
      meetDates,
      sessionDate: null,
      venue: null,
      printedAt: "2031-05-28T18:45",
      ...facts,
    },
    swims,
    plan: { events: [], heats: [] },
    sessions: [],
  };
}

const session: SheetSession = {
  number: 1,
  name: "Saturday",
  day: 1,
  date: null,
  startsAt: "08:30",
  intervalSeconds: 25,
  backstrokeExtraSeconds: 15,
  items: [
    {
      eventNumber: 7,
      eventName: "Girls 11-12 50 Freestyle",
      round: "Finals",
      entries: 20,
      heats: 2,
      startsAt: "09:10",
      heat: null,
    },
  ],
};

/** A sheet with one event of two heats. */
function makePlanned(sequence: number, swims: Swim[], facts?: Partial<KeptFacts>): SheetSwims {
  const heat = { event: 0, round: "Finals", seconds: 35, startsAt: null, withFinals: false };
  const plan = {
    events: [{ number: 7, name: "Girls 11-12 50 Freestyle", date: "2031-06-14", session: "Saturday" }],
    heats: [
      { ...heat, heat: 1 },
      { ...heat, heat: 2 },
    ],
  };
  return { ...makeSheet(sequence, swims, facts), plan };
}

const shown = (sheets: SheetSwims[]) =>
  mergeSwims(sheets).map(({ heatNumber, lane, sources }) => [heatNumber, lane, sources.map((one) => one.sequence)]);

describe("the same swim", () => {
  it("is shown once, as the later print has it, whatever the order of the sheets", () => {
    const first = makeSheet(1, [makeSwim({ lane: 5 })], { printedAt: "2031-05-29T07:00" });
    const second = makeSheet(2, [makeSwim({ lane: 3 })]);
    expect(shown([first, second])).toEqual([[2, 5, [1, 2]]]);
    expect(shown([second, first])).toEqual([[2, 5, [1, 2]]]);
  });

  it("is taken from the later of the batch where prints do not say when, or the same minute", () => {
    for (const printedAt of [null, "2031-05-28T18:45"]) {
      const sheets = [makeSheet(1, [makeSwim({ lane: 5 })], { printedAt }), makeSheet(2, [makeSwim()], { printedAt })];
      expect(shown(sheets)).toEqual([[2, 3, [2, 1]]]);
    }
  });

  it("has its heat and lane, also where the ranking was printed later", () => {
    const psych = makeSheet(1, [ranked()], { kind: "psych", printedAt: "2031-06-01" });
    expect(shown([psych, makeSheet(2, [makeSwim()])])).toEqual([[2, 3, [2, 1]]]);
  });

  it("takes the day from an older issue that says it", () => {
    const older = makeSheet(1, [makeSwim()]);
    const newer = makeSheet(2, [makeSwim({ sessionDate: null })], { printedAt: "2031-06-01" });
    expect(mergeSwims([older, newer])).toMatchObject([{ sessionDate: "2031-06-14", sources: [{}, {}] }]);
  });

  it("keeps every place where it was found", () => {
    const at = (page: number): Swim["source"] => ({ page, bbox: { x: 1, y: 2, width: 3, height: 4 }, by: "parser" });
    const [merged] = mergeSwims([
      makeSheet(1, [makeSwim({ source: at(4) })]),
      makeSheet(2, [makeSwim({ source: { page: 2, bbox: null, by: "model" } })]),
    ]);
    expect(merged?.source).toEqual({ sequence: 2, page: 2, bbox: null, by: "model" });
    expect(merged?.sources).toEqual([merged?.source, { sequence: 1, ...at(4) }]);
  });
});

describe("what is not the same swim", () => {
  it("prelims and finals are two, and a ranking belongs to the prelims", () => {
    const sheets = [
      makeSheet(1, [ranked()]),
      makeSheet(2, [makeSwim({ round: "Prelims", heatNumber: 4 })]),
      makeSheet(3, [makeSwim({ round: "A - Final", heatNumber: 1, sessionDate: "2031-06-15" })]),
    ];
    expect(shown(sheets)).toEqual([
      [4, 3, [2, 1]],
      [1, 3, [3]],
    ]);
  });

  it("meets of other names are never mixed, in whatever way a name is written", () => {
    const other = makeSheet(2, [makeSwim({ lane: 8 })], { meetName: "Invented Waters Masters" });
    expect(shown([makeSheet(1, [makeSwim()]), other])).toHaveLength(2);
    const same = makeSheet(2, [makeSwim({ lane: 8 })], { meetName: "INVENTED WATERS – Open" });
    expect(shown([makeSheet(1, [makeSwim()]), same])).toEqual([[2, 8, [2, 1]]]);
  });

  it("last year's meet of the same name is another", () => {
    const lastYear = makeSheet(2, [makeSwim({ sessionDate: "2030-06-15" })], {
      meetDates: { from: "2030-06-15", to: "2030-06-16" },
    });
    expect(shown([makeSheet(1, [makeSwim()]), lastYear])).toHaveLength(2);
  });

  it("an event of the same number in another session, where numbers begin anew", () => {
    const sheets = [
      makeSheet(1, [makeSwim()]),
      makeSheet(2, [makeSwim({ eventName: "Girls 11-12 200 Butterfly", sessionDate: "2031-06-15", lane: 6 })]),
    ];
    expect(shown(sheets)).toEqual([
      [2, 3, [1]],
      [2, 6, [2]],
    ]);
  });

  it("namesakes in one event are told apart by team and age, in every sheet", () => {
    const pair = (sequence: number, lane: number) =>
      makeSheet(sequence, [makeSwim({ lane }), makeSwim({ lane: lane + 1, team: "SHRK-YY", age: "9" })]);
    expect(shown([pair(1, 3), pair(2, 5)])).toEqual([
      [2, 5, [2, 1]],
      [2, 6, [2, 1]],
    ]);
  });

  it("two of one name, team and age in one event are both shown", () => {
    expect(shown([makeSheet(1, [makeSwim({ lane: 1 }), makeSwim({ lane: 2 })])])).toEqual([
      [2, 1, [1]],
      [2, 2, [1]],
    ]);
  });
});

describe("starts", () => {
  it("are estimated with the timeline of the same meet, not of another", () => {
    const timeline = (facts?: Partial<KeptFacts>) => ({
      ...makeSheet(2, [], { kind: "timeline", ...facts }),
      sessions: [session],
    });
    const program = makePlanned(1, [makeSwim({ round: "Finals" })]);
    expect(mergeSwims([program, timeline()])).toMatchObject([{ heatStartTime: "09:11", estimated: true }]);
    expect(mergeSwims([program, timeline({ meetName: null })])).toMatchObject([{ heatStartTime: "09:11" }]);
    for (const facts of [{ meetName: "Another Meet" }, { meetDates: { from: "2030-06-15", to: "2030-06-16" } }]) {
      expect(mergeSwims([program, timeline(facts)])[0]).not.toHaveProperty("heatStartTime");
    }
  });

  it("come from a timeline that calls the meet a little shorter", () => {
    const named = (sheet: SheetSwims, meetName: string) => ({ ...sheet, facts: { ...sheet.facts, meetName } });
    const program = named(
      makePlanned(1, [makeSwim({ round: "Finals" })]),
      "2031 Eastern Lakes Age Group LCM Championships",
    );
    const timeline = { ...makeSheet(2, [], { kind: "timeline" }), sessions: [session] };
    const start = (name: string) => mergeSwims([program, named(timeline, name)])[0]?.heatStartTime;
    expect(start("2031 Eastern Lakes | Age Group Championships")).toBe("09:11");
    expect(start("2031 Western Lakes Age Group Championships")).toBeUndefined();
    expect(start("2031 Championships")).toBeUndefined();
  });

  it("that are printed are not estimates", () => {
    const [merged] = mergeSwims([makePlanned(1, [makeSwim({ heatStartTime: "10:02" })])]);
    expect(merged?.heatStartTime).toBe("10:02");
    expect(merged).not.toHaveProperty("estimated");
  });

  it("of a final are not those of the heat with the same number in the prelims", () => {
    const sheet = makePlanned(1, [
      makeSwim({ round: "Prelims", heatNumber: 1 }),
      makeSwim({ round: "Finals", heatNumber: 1 }),
    ]);
    const [event] = sheet.plan.events;
    sheet.plan.events = [event as never];
    const heat = { event: 0, heat: 1, seconds: 35, withFinals: false };
    sheet.plan.heats = [
      { ...heat, round: "Prelims", startsAt: "08:00" },
      { ...heat, round: "Finals", startsAt: "17:30" },
    ];
    expect(mergeSwims([sheet]).map(({ round, heatStartTime }) => [round, heatStartTime])).toEqual([
      ["Prelims", "08:00"],
      ["Finals", "17:30"],
    ]);
  });
});

it("sorts by day, start, event and heat; what is not known comes last", () => {
  const swims = [
    makeSwim({ eventNumber: 9, sessionDate: null }),
    makeSwim({ eventNumber: 4, sessionDate: "2031-06-15", heatStartTime: "08:00" }),
    makeSwim({ eventNumber: 8 }),
    makeSwim({ eventNumber: 6, heatNumber: 5 }),
    makeSwim({ eventNumber: 12, heatStartTime: "11:00" }),
    makeSwim({ eventNumber: 14, heatStartTime: "09:30" }),
  ];
  expect(mergeSwims([makeSheet(1, swims)]).map(({ eventNumber }) => eventNumber)).toEqual([14, 12, 6, 8, 4, 9]);
});
