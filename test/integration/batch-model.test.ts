/** Sheets whose layout nobody knows are read by a language model: asked once, believed only as far as the sheet agrees. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import type { FakeOpenAiOptions } from "../support/fake-openai.ts";
import { expectRightCounters, type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { makeLetter, makeProgram, makeReport, makeTinyMeet, otherSwimmer, swimmer } from "../support/heat-sheets.ts";
import { readErrors, readStream } from "../support/read-job.ts";
import { writeResults } from "../support/sheets/other-documents.ts";

type Question = Parameters<NonNullable<FakeOpenAiOptions["answerChat"]>>[0];

let place: DocumentPlace;
let heats: HeatClient;
let questions: Question[] = [];
/** What the model says besides the swim that it finds for anybody. */
let more: object[] = [];
let silent = false;

function answerChat(question: Question): object {
  questions.push(question);
  if (silent) return { swims: [] };
  const name = /Swimmer: (.*)/.exec(question.text)?.[1] ?? "";
  const swim = { eventNumber: 1, eventName: "Girls 50 Freestyle", heatNumber: 2, lane: 2, swimmerName: name, page: 1 };
  return {
    meetName: "Invented Letter Open",
    meetStart: "2031-06-14",
    swims: [{ ...swim, seedTime: "35.25" }, ...more],
  };
}

beforeAll(async () => {
  place = await openDocumentPlace({
    settings: { DOCMILL_MODEL: "thinker", DOCMILL_MODEL_TIMEOUT_MS: "1000" },
    openAi: { answerChat },
  });
  heats = openHeatClient(place.url);
  await place.startWorker();
});
afterAll(() => place.close());

async function run(form: Parameters<HeatClient["start"]>[0], on = heats) {
  questions = [];
  const { batchId } = await on.start(form);
  const { batch, jobs } = await on.ended(batchId);
  return { batchId, batch, jobs, results: await on.results(batchId) };
}

describe("an unknown layout", () => {
  it("is read by the model, and what it says is marked as its word", async () => {
    const { batchId, jobs, results } = await run({ files: [makeLetter("one.pdf")] });
    expect(jobs).toMatchObject([
      { status: "completed", eventCount: 1, meetName: "Invented Letter Open", cached: false },
    ]);
    expect(results.events).toMatchObject([
      { eventNumber: 1, heatNumber: 2, lane: 2, seedTime: "35.25", sessionDate: "2031-06-14" },
    ]);
    expect(results.events[0]?.source).toEqual({ sequence: 1, page: 1, bbox: null, by: "model" });
    expect(results.warnings).toEqual([expect.stringContaining("a language model has read it")]);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ files: [], text: expect.stringContaining("we see Zoë Fernwright of") });
    const stages = (await readStream(place.db, batchId)).filter(({ type }) => type === "job_progress");
    expect(stages.map(({ data }) => data.stage)).toEqual(["checking", "uploading_to_ai", "extracting", "caching"]);
  });

  it("loses whom the model invents, and times it invents", async () => {
    const swim = { eventNumber: 2, eventName: "Girls 100 Freestyle", heatNumber: 1, lane: 1, page: 1 };
    more = [
      { ...swim, swimmerName: "Zoë Fernwright-Invented" },
      { ...swim, swimmerName: "Runa Birchley" },
      { ...swim, swimmerName: "Fernwright, Zoë", seedTime: "12.34" },
    ];
    const { results } = await run({ files: [makeLetter("invented.pdf")] });
    more = [];
    expect(results.events.map(({ eventNumber, swimmerName }) => [eventNumber, swimmerName])).toEqual([
      [1, swimmer],
      [2, "Fernwright, Zoë"],
    ]);
    expect(results.events[1]).not.toHaveProperty("seedTime");
    expect(results.warnings).toContainEqual(expect.stringMatching(/2 of the model's swims were left out/));
  });

  it("without the swimmer's name costs no question", async () => {
    const { jobs } = await run({ swimmer: "Nobody Known", files: [makeLetter("nobody.pdf")] });
    expect(jobs).toMatchObject([{ errorCode: "SWIMMER_NOT_FOUND", retriable: false }]);
    expect(questions).toEqual([]);
  });

  it("for another swimmer is asked about again, and not read again; for the same one neither", async () => {
    const file = makeLetter("shared.pdf");
    const countSheets = async () => (await place.db.query(sql`select from heat_sheets`)).length;
    await run({ files: [file] });
    const sheets = await countSheets();
    expect((await run({ swimmer: otherSwimmer, files: [file] })).jobs).toMatchObject([{ cached: false }]);
    expect(questions).toHaveLength(1);
    expect((await run({ swimmer: "FERNWRIGHT, zoe", files: [file] })).jobs).toMatchObject([
      { cached: true, eventCount: 1 },
    ]);
    expect(questions).toEqual([]);
    expect(await countSheets()).toBe(sheets);
  });
});

describe("?extractor=ai", () => {
  const query = "?extractor=ai";

  it("asks the model also where the parser knows the layout, and keeps both answers apart", async () => {
    const file = makeProgram("both.pdf");
    const parsed = await run({ files: [file] });
    expect(questions).toEqual([]);
    const asked = await run({ files: [file], query });
    expect(questions).toHaveLength(1);
    expect(asked.jobs).toMatchObject([{ cached: false, eventCount: 1, meetName: "Invented Waters Open 2031" }]);
    expect(asked.results.events.map(({ source }) => source.by)).toEqual(["model"]);
    expect(parsed.results.events.map(({ source }) => source.by)).toEqual(["parser", "parser"]);
  });

  it("does not ask about a timeline, which names nobody, and uses its times", async () => {
    const { batch, results } = await run({ files: [makeReport("report.pdf")], query });
    expect(batch.status).toBe("completed");
    expect(questions).toEqual([]);
    expect(results.warnings).toEqual([expect.stringContaining("timeline")]);
  });

  it("is the parser's where there is no model", async () => {
    await using plain = await openDocumentPlace();
    await plain.startWorker();
    const client = openHeatClient(plain.url);
    const { jobs, results } = await run({ files: [makeProgram("plain.pdf"), makeLetter("letter.pdf")], query }, client);
    expect(jobs).toMatchObject([
      { status: "completed", eventCount: 2 },
      { status: "failed", errorCode: "EXTRACTION_FAILED", error: expect.stringContaining("DOCMILL_MODEL") },
    ]);
    expect(results.events.map(({ source }) => source.by)).toEqual(["parser", "parser"]);
  });
});

it("DOCMILL_MODEL_INPUT=file sends the PDF itself", async () => {
  await using filed = await openDocumentPlace({
    settings: { DOCMILL_MODEL: "thinker", DOCMILL_MODEL_INPUT: "file" },
    openAi: { answerChat },
  });
  await filed.startWorker();
  const file = makeLetter("filed.pdf");
  const { jobs } = await run({ files: [file] }, openHeatClient(filed.url));
  expect(jobs).toMatchObject([{ status: "completed", eventCount: 1 }]);
  expect(questions).toHaveLength(1);
  expect(questions[0]?.text).not.toContain("hoping to beat");
  const [sent = ""] = questions[0]?.files ?? [];
  expect(Buffer.from(sent.split("base64,")[1] ?? "", "base64")).toEqual(Buffer.from(file.bytes));
});

describe("a model that", () => {
  it.each([
    ["is asked too often", { status: 429, headers: { "retry-after": "2" } }, "RATE_LIMIT", 2_000],
    ["is overloaded", { status: 529 }, "AI_OVERLOADED", 1_000],
    ["is away", { status: 500 }, "SERVICE_UNAVAILABLE", 1_000],
    ["says nothing", { wrong: "nothing" }, "SERVICE_UNAVAILABLE", 1_000],
    ["hangs", "hang", "TIMEOUT", 1_000],
    ["breaks off", "cut-mid-body", "NETWORK_ERROR", 1_000],
  ] as const)("%s is asked again later", async (how, misbehaviour, code, delayMs) => {
    place.openAi.plan(misbehaviour);
    const { batchId, jobs } = await run({ files: [makeLetter(`${how}.pdf`)] });
    expect(jobs).toMatchObject([{ status: "completed", retryCount: 1 }]);
    const jobId = jobs[0]?.id ?? "";
    expect((await readErrors(place.db, jobId)).map((error) => error.code)).toEqual([code]);
    const delays = (await readStream(place.db, jobId)).filter(({ type }) => type === "job_retrying");
    expect(delays.map(({ data }) => data.delayMs)).toEqual([delayMs]);
    // What was read of the file before is not read again: only the question comes a second time.
    const stages = (await readStream(place.db, batchId)).filter(({ type }) => type === "job_progress");
    expect(stages.filter(({ data }) => data.stage === "checking")).toHaveLength(1);
    await expectRightCounters(place.db, batchId);
  });

  it.each([
    ["refuses", "refusal"],
    ["does not stop in time", "length"],
    ["answers something else", "not-matching"],
  ])("%s fails the sheet, and nothing it said is taken", async (how, wrong) => {
    place.openAi.plan({ wrong }, { wrong }, { wrong }, { wrong });
    const { jobs, results } = await run({ files: [makeLetter(`${how}.pdf`)] });
    expect(jobs).toMatchObject([{ status: "failed", errorCode: "EXTRACTION_FAILED", retriable: false, retryCount: 0 }]);
    expect(results.events).toEqual([]);
    // A correction may have been asked for or not: what is left of the plan must not meet the next test.
    while (place.openAi.requests.filter(({ misbehaviour }) => isWrong(misbehaviour, wrong)).length < 4) {
      await fetch(`${place.openAi.url}/v1/chat/completions`, { method: "POST", body: `{"messages":[]}` });
    }
  });

  it("finds nobody is believed", async () => {
    silent = true;
    const { jobs } = await run({ files: [makeLetter("silent.pdf")] });
    silent = false;
    expect(questions).toHaveLength(1);
    expect(jobs).toMatchObject([{ status: "failed", errorCode: "SWIMMER_NOT_FOUND", retriable: false }]);
  });

  it("is there is not asked about results", async () => {
    const file = { name: "results.pdf", bytes: writeResults(makeTinyMeet({ tag: "ai" })) };
    const { jobs } = await run({ files: [file] });
    expect(jobs).toMatchObject([{ errorCode: "EXTRACTION_FAILED", error: expect.stringContaining("lists results") }]);
    expect(questions).toEqual([]);
  });
});

function isWrong(misbehaviour: unknown, wrong: string): boolean {
  return typeof misbehaviour === "object" && (misbehaviour as { wrong?: string } | null)?.wrong === wrong;
}
