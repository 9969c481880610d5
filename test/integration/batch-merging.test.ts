/** Psych sheet, program, its later issue and the session report of one meet make one schedule; two meets make two. */
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { makeProgram, makePsych, makeReport, redate } from "../support/heat-sheets.ts";

let place: DocumentPlace;
let heats: HeatClient;
beforeAll(async () => {
  place = await openDocumentPlace();
  heats = openHeatClient(place.url);
  await place.startWorker();
});
afterAll(() => place.close());

const later = { "5/28/2031": "5/29/2031" };

async function merge(files: Parameters<HeatClient["start"]>[0]["files"]) {
  const { batchId } = await heats.start({ files });
  expect((await heats.ended(batchId)).batch.status).toBe("completed");
  return { batchId, ...(await heats.results(batchId)) };
}

describe("sheets of one meet", () => {
  const files = () => [
    redate(makeProgram("later.pdf", { lane: 4 }), later),
    makePsych("psych.pdf"),
    makeProgram("first.pdf"),
    makeReport("report.pdf"),
  ];

  it("give each swim once: as the later print has it, with all places, and starts estimated by the report", async () => {
    const { events, totalEvents, sources, warnings } = await merge(files());
    expect(totalEvents).toBe(2);
    expect(events.map(({ sources: all }) => all.map(({ sequence }) => sequence))).toEqual([
      [1, 3, 2],
      [1, 3, 2],
    ]);
    expect(events).toMatchObject([
      { eventNumber: 1, heatNumber: 2, lane: 4, sessionDate: "2031-06-14", heatStartTime: "08:30", estimated: true },
      { eventNumber: 3, heatNumber: 1, lane: 4, sessionDate: "2031-06-14", heatStartTime: "09:04", estimated: true },
    ]);
    for (const { source } of events) expect(source).toMatchObject({ sequence: 1, page: 1, by: "parser" });
    expect(sources.map(({ eventCount }) => eventCount)).toEqual([2, 2, 2, 0]);
    expect(warnings).toEqual([expect.stringMatching(/^report\.pdf: .*timeline/)]);
  });

  it("say so in the event that ends the batch: swims, not lines of sheets", async () => {
    const { batchId } = await merge(files());
    const [ended] = await place.db.query<{ data: object }>(
      sql`select data from events where stream_id = ${batchId} and type = 'batch_completed'`,
    );
    expect(ended?.data).toMatchObject({ status: "completed", completedJobs: 4, failedJobs: 0, totalEvents: 2 });
  });

  it("make one calendar, with alarms before estimated starts", async () => {
    const { batchId } = await merge(files());
    for (const [query, trigger] of [
      ["", "-PT10M"],
      ["?alarm=5", "-PT5M"],
      ["?alarm=15", "-PT15M"],
    ]) {
      const { status, body } = await heats.ask(`/api/batch/${batchId}/calendar.ics${query}`);
      expect(status).toBe(200);
      const calendar = new ICAL.Component(ICAL.parse(body as string));
      const swims = calendar.getAllSubcomponents("vevent");
      expect(swims.map((swim) => String(swim.getFirstPropertyValue("dtstart")))).toEqual([
        "2031-06-14T08:30:00",
        "2031-06-14T09:04:00",
      ]);
      const alarms = swims.map((swim) => swim.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger"));
      expect(alarms.map(String)).toEqual([trigger, trigger]);
      expect(String(swims[0]?.getFirstPropertyValue("summary"))).toContain("heat 2, lane 4");
    }
    const wrong = await heats.ask(`/api/batch/${batchId}/calendar.ics?alarm=7`);
    expect(wrong).toMatchObject({ status: 400, body: { success: false, error: "INVALID_PARAMETER" } });
  });

  it("without a report have no start times, and the calendar has whole days without alarms", async () => {
    const { batchId, events } = await merge([makeProgram("alone.pdf")]);
    for (const event of events) expect(event).not.toHaveProperty("heatStartTime");
    const { body } = await heats.ask(`/api/batch/${batchId}/calendar.ics`);
    const swims = new ICAL.Component(ICAL.parse(body as string)).getAllSubcomponents("vevent");
    expect(swims.map((swim) => String(swim.getFirstPropertyValue("dtstart")))).toEqual(["2031-06-14", "2031-06-14"]);
    expect(swims.flatMap((swim) => swim.getAllSubcomponents("valarm"))).toEqual([]);
  });
});

describe("sheets of two meets", () => {
  it("are never mixed, and a report is for its own meet only", async () => {
    const { events } = await merge([
      makeProgram("one.pdf", { name: "Invented Waters Open 2031" }),
      makeProgram("two.pdf", { name: "Imaginary Lake Trials", lane: 1 }),
      makeReport("report.pdf", { name: "Imaginary Lake Trials" }),
    ]);
    expect(events.map(({ eventNumber, lane, source }) => [source.sequence, eventNumber, lane])).toEqual([
      [2, 1, 1],
      [2, 3, 4],
      [1, 1, 2],
      [1, 3, 4],
    ]);
    expect(events.map(({ heatStartTime }) => heatStartTime)).toEqual(["08:30", "09:04", undefined, undefined]);
    expect(events.every(({ sources }) => sources.length === 1)).toBe(true);
  });

  it("that go by one name in two years are two", async () => {
    const { events } = await merge([
      makeProgram("this-year.pdf"),
      redate(makeProgram("last-year.pdf"), { "6/14/2031": "6/15/2030", "6/15/2031": "6/16/2030" }),
    ]);
    expect(events.map(({ sessionDate, eventNumber }) => [sessionDate, eventNumber])).toEqual([
      ["2030-06-15", 1],
      ["2030-06-15", 3],
      ["2031-06-14", 1],
      ["2031-06-14", 3],
    ]);
  });
});

describe("who is found", () => {
  it("prelims and finals in two sheets are two swims", async () => {
    const { events } = await merge([
      makeProgram("prelims.pdf", { round: "Prelims" }),
      makeProgram("finals.pdf", { round: "Finals", lane: 1 }),
    ]);
    expect(events).toHaveLength(4);
  });

  it("a near miss is offered and never taken", async () => {
    const { batchId } = await heats.start({ swimmer: "Zoe Fernwrihgt", files: [makeProgram("near.pdf")] });
    const { batch, jobs } = await heats.ended(batchId);
    expect(batch).toMatchObject({ status: "failed", failedJobs: 1, withoutSwimmer: 1 });
    expect(jobs).toMatchObject([{ status: "failed", errorCode: "SWIMMER_NOT_FOUND", retriable: false, retryCount: 0 }]);
    const { events, warnings, failedSources } = await heats.results(batchId);
    expect(events).toEqual([]);
    expect(warnings).toEqual([`near.pdf: Did you mean "Fernwright, Zoë"?`]);
    expect(failedSources).toMatchObject([{ sequence: 1, filename: "near.pdf", errorCode: "SWIMMER_NOT_FOUND" }]);
  });
});
