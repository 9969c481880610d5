/** A file that was read before is not read again: for the same swimmer nothing is left to do, for another only the looking. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { type BatchForm, type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { makeProgram, makeReport, otherSwimmer, swimmer } from "../support/heat-sheets.ts";
import { readStream } from "../support/read-job.ts";

let server: FileServer;
let place: DocumentPlace;
let heats: HeatClient;
/** How often a file was opened to be read as a sheet. */
let reads = 0;
beforeAll(async () => {
  server = await startFileServer();
  place = await openDocumentPlace({ settings: { DOCMILL_FETCH_ALLOW: server.host } });
  heats = openHeatClient(place.url);
  const { services } = place.runtime.heats;
  const { sheets } = services;
  services.sheets = {
    ...sheets,
    read(...call) {
      reads++;
      return sheets.read(...call);
    },
  };
  await place.startWorker();
});
afterAll(async () => {
  await place.close();
  await server.close();
});

async function run(form: BatchForm) {
  reads = 0;
  const { batchId } = await heats.start(form);
  const { jobs } = await heats.ended(batchId);
  const events = await readStream(place.db, batchId);
  const stages = events.filter(({ type }) => type === "job_progress").map(({ data }) => data.stage);
  return { batchId, jobs, stages, results: await heats.results(batchId) };
}

const file = makeProgram("cached.pdf");

it("the same file for the same swimmer completes at once, with a code of its own", async () => {
  const first = await run({ files: [file] });
  expect(first.jobs).toMatchObject([{ cached: false, eventCount: 2 }]);
  expect(reads).toBe(1);
  const second = await run({ files: [{ ...file, name: "another-name.pdf" }] });
  expect(second.jobs).toMatchObject([
    { status: "completed", cached: true, eventCount: 2, filename: "another-name.pdf" },
  ]);
  expect(second.stages).toEqual([]);
  expect(reads).toBe(0);
  expect(second.jobs[0]?.resultCode).not.toBe(first.jobs[0]?.resultCode);
  expect(second.results.sources).toMatchObject([{ cached: true, meetName: "Invented Waters Open 2031" }]);
  expect(second.results.events).toEqual(first.results.events);
});

it.each(["fernwright, zoe", "ZOË FERNWRIGHT", "  Zoé   Fernwright ", "Fernwright , Zoë", "Zoe\u0308 Fernwright"])(
  "%j is the same swimmer",
  async (name) => {
    const { jobs, results } = await run({ swimmer: name, files: [file] });
    expect(jobs).toMatchObject([{ cached: true, eventCount: 2 }]);
    expect(reads).toBe(0);
    expect(results.swimmerName).toBe(name.normalize("NFC").replace(/\s+/g, " ").trim());
  },
);

it("the same file for another swimmer is searched, not read", async () => {
  const { jobs, stages, results } = await run({ swimmer: otherSwimmer, files: [file] });
  expect(jobs).toMatchObject([{ cached: false, eventCount: 1 }]);
  expect(stages).toEqual(["checking", "extracting", "caching"]);
  expect(reads).toBe(0);
  expect(results.events.map(({ eventNumber }) => eventNumber)).toEqual([2]);
});

it.each(["Fernwright Zoë Q", "Zoë Fernwright (OTTR)", "Zoë Fernwright (12)"])("%j is asked anew", async (name) => {
  const { jobs } = await run({ swimmer: name, files: [file] });
  expect(jobs[0]?.cached).toBe(false);
  expect(reads).toBe(0);
});

it("a swimmer who is not in it is not found again, without reading it", async () => {
  for (const _time of [1, 2]) {
    const { jobs } = await run({ swimmer: "Nobody Known", files: [file] });
    expect(jobs).toMatchObject([{ status: "failed", errorCode: "SWIMMER_NOT_FOUND", cached: false }]);
    expect(reads).toBe(0);
  }
});

it("the same file by url is fetched, and known by its content", async () => {
  const { jobs, stages } = await run({ urls: [server.serve({ ...file, name: "by-url.pdf" })] });
  expect(jobs).toMatchObject([{ cached: true, eventCount: 2 }]);
  expect(stages).toEqual(["downloading"]);
  expect(reads).toBe(0);
});

it("the same file twice in one batch gives both their result, and each swim once", async () => {
  const twice = makeProgram("twice.pdf");
  const { jobs, results } = await run({ files: [twice, { ...twice, name: "copy.pdf" }] });
  expect(jobs.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(results.events.map(({ sources }) => sources.length)).toEqual([2, 2]);
  expect(
    await place.db.query(sql`select distinct sha256 from heat_sources where filename in ('twice.pdf', 'copy.pdf')`),
  ).toHaveLength(1);
});

it("a timeline is known by its content too, and its times are there for whoever comes next", async () => {
  const report = makeReport("report.pdf");
  await run({ files: [report] });
  const { jobs, results } = await run({ swimmer, files: [file, report] });
  expect(jobs).toMatchObject([{ cached: true }, { cached: true, eventCount: 0 }]);
  expect(results.events.map(({ heatStartTime }) => heatStartTime)).toEqual(["08:30", "09:04"]);
  expect(reads).toBe(0);
});

it("what an older reader made of it is not used", async () => {
  await place.db.query(sql`update heat_sheets set reader = 0`);
  await place.db.query(sql`update heat_extractions set extractor = 'auto 0 none'`);
  const { jobs } = await run({ files: [file] });
  expect(jobs).toMatchObject([{ cached: false, eventCount: 2 }]);
  expect(reads).toBe(1);
});
