import { describe, expect, it } from "vitest";
import { believeModel, ModelSheet } from "./model-sheet.ts";

const content = `Dear parents,
In run 2 we see Zoë Fernwright of Otter Creek on lane 4, hoping to beat 1:02.45.
In run 3 we see Runa Birchley on lane 5, hoping to beat 59.90.`;

function makeSwim(changes: Partial<ModelSheet["swims"][number]> = {}): ModelSheet["swims"][number] {
  return {
    eventNumber: 3,
    eventName: "Girls 100 Freestyle",
    heatNumber: 2,
    lane: 4,
    swimmerName: "Zoë Fernwright",
    seedTime: "1:02.45",
    page: 1,
    ...changes,
  };
}

const believe = (swims: ModelSheet["swims"], facts: Partial<ModelSheet> = {}) =>
  believeModel({ ...facts, swims }, "Fernwright, Zoe", content);

describe("what a model says", () => {
  it("is believed where the name stands in the sheet, however it was asked for", () => {
    expect(believe([makeSwim()])).toEqual({
      swims: [
        {
          eventNumber: 3,
          eventName: "Girls 100 Freestyle",
          heatNumber: 2,
          lane: 4,
          swimmerName: "Zoë Fernwright",
          seedTime: "1:02.45",
          sessionDate: null,
          source: { page: 1, bbox: null, by: "model" },
        },
      ],
      warnings: [expect.stringContaining("a language model has read it")],
    });
  });

  it.each([
    ["of another swimmer in the sheet", "Runa Birchley"],
    ["of somebody who is not in it", "Zora Fernwright"],
  ])("is left out and counted: a swim %s", (_whose, swimmerName) => {
    const { swims, warnings } = believe([makeSwim(), makeSwim({ swimmerName, heatNumber: 3 })]);
    expect(swims.map((swim) => swim.swimmerName)).toEqual(["Zoë Fernwright"]);
    expect(warnings).toContainEqual(expect.stringMatching(/^1 of the model's swims/));
  });

  it("has no time that does not stand in the sheet", () => {
    expect(believe([makeSwim({ seedTime: "58.00" })]).swims[0]).not.toHaveProperty("seedTime");
    expect(believe([makeSwim({ seedTime: "1:02 .45" })]).swims[0]).toHaveProperty("seedTime");
  });

  it("has no lane without a heat: that would be a rank", () => {
    expect(believe([makeSwim({ heatNumber: undefined, rank: 7 })]).swims).toMatchObject([
      { heatNumber: null, lane: null, rank: 7 },
    ]);
  });

  it("that is said twice is one swim, in another event two", () => {
    expect(believe([makeSwim(), makeSwim(), makeSwim({ seedTime: undefined })]).swims).toHaveLength(1);
    expect(believe([makeSwim(), makeSwim({ eventNumber: 5 })]).swims).toHaveLength(2);
    expect(believe([makeSwim(), makeSwim()]).warnings).toHaveLength(1);
  });

  it("is on the meet's day where the meet has only one", () => {
    const day = { meetStart: "2031-06-14", meetEnd: "2031-06-14" };
    for (const facts of [day, { meetStart: day.meetStart }]) {
      expect(believe([makeSwim()], facts).swims[0]?.sessionDate).toBe("2031-06-14");
    }
    expect(believe([makeSwim({ sessionDate: "2031-06-15" })], day).swims[0]?.sessionDate).toBe("2031-06-15");
    expect(believe([makeSwim()], { ...day, meetEnd: "2031-06-15" }).swims[0]?.sessionDate).toBeNull();
  });

  it.each([
    ["a time of day that there is not", { heatStartTime: "25:00" }],
    ["a time of twelve hours", { heatStartTime: "8:15 AM" }],
    ["a day that there is not", { sessionDate: "2031-02-30" }],
    ["a lane beyond any pool", { lane: 99 }],
    ["half an event", { eventNumber: 1.5 }],
    ["a page before the first", { page: 0 }],
  ])("is no answer with %s", (_what, changes) => {
    expect(ModelSheet.safeParse({ swims: [makeSwim()] }).success).toBe(true);
    expect(ModelSheet.safeParse({ swims: [makeSwim(changes)] }).success).toBe(false);
  });
});
