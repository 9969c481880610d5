/** `docmill heats`, `results` and `status` of a batch as a user types them, against a real server. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BatchCreated, BatchDetail, BatchResults } from "../../src/contract/batches.ts";
import { findFreePort } from "../../src/db/embedded/server-address.ts";
import {
  type DocmillProcess,
  runDocmill,
  scriptProgram,
  spawnDocmill,
  startServe,
} from "../support/docmill-process.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { writeHytekProgram } from "../support/sheets/hytek-program.ts";
import { writeHytekPsych } from "../support/sheets/hytek-psych.ts";
import { makeMeet } from "../support/sheets/make-meet.ts";
import { type MadeSheet, swimsOf, type TruthRow } from "../support/sheets/sheet-truth.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const swimmer = "Lane Hollowmark";
const listed = "Hollowmark, Lane";
const meet = makeMeet({ seed: 31 });
const program = writeHytekProgram(meet, { columns: 2 });
const psych = writeHytekPsych(meet, { columns: 2 });
const sunday = writeHytekProgram({ ...makeMeet({ seed: 33 }), name: "Made-Up Lake Cup 2031" }, { columns: 3 });

let folder: string;
let sheets: string;
let broken: string;
let database: TestDatabase;
let files: FileServer;
let server: DocmillProcess;
let serving: Record<string, string>;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  sheets = join(folder, "sheets");
  broken = join(folder, "broken.pdf");
  await mkdir(join(sheets, "more"), { recursive: true });
  await writeFile(join(sheets, "program.pdf"), program.pdf);
  await writeFile(join(sheets, "more", "psych.PDF"), psych.pdf);
  await writeFile(join(sheets, "notes.txt"), "Bring a towel.\n");
  await writeFile(broken, "%PDF-1.4\nthis is no PDF at all, only its first line is\n");
  files = await startFileServer();
  database = await createTestDatabase();
  serving = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: join(folder, "data"),
    DOCMILL_POLL_MS: "200",
    DOCMILL_FETCH_ALLOW: files.host,
  };
  const started = await startServe(["--port", "0"], { env: serving });
  server = started.server;
  env = { DOCMILL_SERVER: started.url };
});

afterAll(async () => {
  server?.kill("SIGTERM");
  await server?.ended;
  await files?.close();
  await database?.drop();
  if (folder) await removeTemporaryFolder(folder);
});

const docmill = (...args: string[]) => runDocmill(args, { env });
const heats = (...args: string[]) => docmill("heats", "--swimmer", swimmer, ...args);

/** Swims of the swimmer in a sheet, as their lines end after the start. */
function linesOf({ truth }: MadeSheet): string[] {
  const place = ({ heat, totalHeats, lane, rank, alternate }: TruthRow) =>
    heat === null ? `${alternate ? "alternate" : "rank"} ${rank}` : `heat ${heat} of ${totalHeats}, lane ${lane}`;
  return swimsOf(truth, listed).map(({ row, leg }) => {
    const relay = leg === null ? "" : `, relay ${row.relay?.letter} leg ${leg}`;
    return `#${row.eventNumber} ${row.eventName}: ${place(row)}${relay}, seed ${row.seed}`;
  });
}

/** The swims in an output, without their starts. */
function shownSwims(output: string): string[] {
  return [...output.matchAll(/^ {2}[~ ](?:\d\d:\d\d|--:--) {2}(#.*)$/gm)].map(([, line]) => line as string);
}

function batchIn(output: string): string {
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output) ?? [];
  if (id === undefined) throw new Error(`no batch is named in ${output}`);
  return id;
}

describe("docmill heats", () => {
  it("reads the PDFs of a folder and a url, and prints one schedule by meet, each swim once", async () => {
    const url = files.serve({ name: "sunday.pdf", bytes: sunday.pdf });
    const { code, stdout, stderr } = await heats(sheets, join(sheets, "*.pdf"), url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Batch \S{36}: 3 sheets, about /);
    expect(stdout).toMatch(/^sunday\.pdf downloading: Downloading sunday\.pdf$/m);
    expect(stdout).toMatch(/^psych\.PDF done: \d+ swims?$/m);
    expect(stdout).not.toContain("notes.txt");
    expect(linesOf(program).length).toBeGreaterThan(1);
    expect(linesOf(sunday).length).toBeGreaterThan(0);
    expect(shownSwims(stdout).toSorted()).toEqual([...linesOf(program), ...linesOf(sunday)].toSorted());
    expect(stdout).toMatch(/^2031-\d\d-\d\d, .*Invented Waters Open 2031$/m);
    expect(stdout).toMatch(/^2031-\d\d-\d\d, .*Made-Up Lake Cup 2031$/m);
    // Nothing that moves a cursor or colours anything.
    expect(stdout).not.toContain("\u001b");
  });

  it("tells starts that the sheet prints from estimated ones", async () => {
    const { stdout } = await heats(join(sheets, "program.pdf"));
    const printed = swimsOf(program.truth, listed).filter(({ row }) => row.heatStart !== null);
    expect(printed.length).toBeGreaterThan(0);
    for (const { row } of printed) expect(stdout).toContain(`   ${row.heatStart}  #${row.eventNumber} `);
    const [other] = swimsOf(program.truth, listed).filter(({ row }) => row.heatStart === null);
    expect(stdout).toMatch(new RegExp(`^  (~\\d\\d:\\d\\d| --:--)  #${other?.row.eventNumber} `, "m"));
  });

  it("gives ranks where there are only ranks", async () => {
    const { code, stdout } = await heats(join(sheets, "more", "psych.PDF"));
    expect(code).toBe(0);
    expect(shownSwims(stdout).toSorted()).toEqual(linesOf(psych).toSorted());
    expect(shownSwims(stdout)[0]).toMatch(/: rank \d+, seed /);
  });

  it.skipIf(!scriptProgram)("shows a bar a sheet in a terminal", async () => {
    const args = ["heats", "--swimmer", swimmer, join(sheets, "program.pdf"), broken];
    const { code, stdout } = await spawnDocmill(args, { env, terminal: true }).ended;
    expect(stdout).toMatch(/program\.pdf +\[=+\] done: 2 swims/);
    expect(stdout).toMatch(/broken\.pdf +\[=+-+\] failed \(INVALID_PDF\)/);
    expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
    expect(code).toBe(1);
  });

  it("says why a sheet was not read and how to try again, and fails", async () => {
    const { code, stdout } = await heats(join(sheets, "program.pdf"), broken);
    expect(stdout).toMatch(/^broken\.pdf failed \(INVALID_PDF\): /m);
    expect(stdout).toMatch(/^Not read:\n {2}broken\.pdf: .* \(INVALID_PDF\)$/m);
    expect(stdout).toContain(`\nTry again: docmill heats --retry ${batchIn(stdout)}\n`);
    expect(shownSwims(stdout)).toHaveLength(linesOf(program).length);
    expect(code).toBe(1);
  });

  it("tries a sheet again that was not there at first", async () => {
    const url = files.serve({ name: "early.pdf", bytes: sunday.pdf });
    const missing = url.replace("early", "late");
    const first = await heats(url, missing);
    expect([first.code, first.stdout]).toEqual([1, expect.stringMatching(/^ {2}late\.pdf: .*404/m)]);
    files.serve({ name: "late.pdf", bytes: program.pdf });
    const again = await docmill("heats", "--retry", batchIn(first.stdout));
    expect(again.stdout).toMatch(/^Batch \S{36}: 1 sheet to be tried again$/m);
    expect(again.stdout).toMatch(/^late\.pdf done: /m);
    expect(shownSwims(again.stdout).toSorted()).toEqual([...linesOf(program), ...linesOf(sunday)].toSorted());
    expect(again.code).toBe(0);
    const idle = await docmill("heats", "--retry", batchIn(first.stdout));
    expect([idle.code, idle.stdout]).toEqual([0, expect.stringContaining("there is nothing to try again")]);
  });

  it("offers a similar name, and fails where nothing was found", async () => {
    const args = ["heats", "--swimmer", "Lane Holowmark", join(sheets, "program.pdf")];
    const { code, stdout } = await docmill(...args);
    expect(stdout).toContain("No swims of Lane Holowmark were found.");
    expect(stdout).toMatch(/^Please note:\n.*Did you mean "Hollowmark, Lane"\?$/m);
    expect(code).toBe(1);
  });

  it("prints nothing but the results for scripts, and writes a calendar", async () => {
    const calendar = join(folder, "meet.ics");
    const { code, stdout } = await heats(sheets, "--json", "--calendar", calendar, "--alarm", "15");
    const results = JSON.parse(stdout) as BatchResults;
    expect(results).toMatchObject({ success: true, swimmerName: swimmer, failedSources: [] });
    expect(results.events).toHaveLength(linesOf(program).length);
    expect(results.sources.map(({ filename }) => filename).toSorted()).toEqual(["program.pdf", "psych.PDF"]);
    expect(await readFile(calendar, "utf8")).toMatch(/^BEGIN:VCALENDAR[\s\S]*TRIGGER:-PT15M/);
    expect(code).toBe(0);
  });

  it("only uploads with --no-watch, and results shows the rest", async () => {
    const { code, stdout } = await heats(sheets, "--no-watch", "--json");
    expect(code).toBe(0);
    const { batchId, totalJobs } = JSON.parse(stdout) as BatchCreated;
    expect(totalJobs).toBe(2);
    await until(async () => {
      const { batch } = JSON.parse((await docmill("status", batchId, "--json")).stdout) as BatchDetail;
      return batch.status === "completed";
    });
    const shown = await docmill("results", batchId);
    expect(shownSwims(shown.stdout).toSorted()).toEqual(linesOf(program).toSorted());
    expect(shown.code).toBe(0);
  });

  it.each([
    ["no swimmer", ["x.pdf"], 2, /--swimmer "First Last"/],
    ["no sheets", ["--swimmer", swimmer], 2, /Name PDF files/],
    ["a file that is not there", ["--swimmer", swimmer, "no-such.pdf"], 2, /There is no no-such\.pdf\./],
    ["a folder without PDFs", ["--swimmer", swimmer, "empty"], 2, /There is no PDF file in empty\./],
    ["a wrong address", ["--swimmer", swimmer, "broken.pdf", "--email", "me"], 2, /not an email address/],
    ["a wrong alarm", ["--swimmer", swimmer, "x.pdf", "--alarm", "7"], 2, /5, 10, 15/],
    ["a swimmer for a retry", ["--swimmer", swimmer, "--retry", "x"], 2, /--retry is for a batch as it is/],
    ["a batch that is not there", ["--retry", "x"], 2, /There is no batch x\./],
    ["a calendar of what is not awaited", ["--retry", "x", "--no-watch", "--calendar", "a"], 2, /leave out --no-watch/],
    ["a file that is no PDF", ["--swimmer", swimmer, "empty/notes.txt"], 1, /notes\.txt.*INVALID_PDF/],
  ])("refuses %s in one line", async (_what, args, code, message) => {
    await mkdir(join(folder, "empty"), { recursive: true });
    await writeFile(join(folder, "empty", "notes.txt"), "Nothing to see.\n");
    const ended = await runDocmill(["heats", ...args], { env, cwd: folder });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.code).toBe(code);
  });

  it("refuses more sheets than a batch may have", async () => {
    const urls = Array.from({ length: 16 }, (_, index) => `http://${files.host}/${index}.pdf`);
    const { code, stderr } = await heats(...urls);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Maximum 15 PDFs per batch. You submitted 16.")]);
  });

  it("says that no server is there", async () => {
    const { code, stderr } = await heats(sheets, "--server", "http://127.0.0.1:9");
    expect([code, stderr]).toEqual([3, expect.stringMatching(/There is no Docmill server at .*docmill serve/)]);
  });

  it.each(["heats", "results"])("has help for %s with examples", async (command) => {
    const { code, stdout } = await docmill(command, "--help");
    expect(stdout).toContain(`Usage: docmill ${command}`);
    expect(stdout).toMatch(/Examples:[\s\S]*Exit code:/);
    expect(code).toBe(0);
    expect((await docmill("--help")).stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  });
});

describe("docmill status and results", () => {
  it("show a batch with what became of each sheet", async () => {
    const id = batchIn((await heats(join(sheets, "program.pdf"), broken)).stdout);
    const { code, stdout } = await docmill("status", id);
    expect(stdout).toMatch(new RegExp(`^batch ${id}: partial\nswimmer {4}${swimmer}$`, "m"));
    expect(stdout).toMatch(/^sheets {5}1 of 2 read, 1 failed$/m);
    expect(stdout).toMatch(/^sheet 1 {4}program\.pdf done: 2 swims/m);
    expect(stdout).toMatch(/^sheet 2 {4}broken\.pdf failed \(INVALID_PDF\): /m);
    expect(code).toBe(0);
    expect((await docmill("results", id)).code).toBe(1);
    const results = JSON.parse((await docmill("results", id, "--json")).stdout) as BatchResults;
    expect(results.failedSources).toMatchObject([{ filename: "broken.pdf", errorCode: "INVALID_PDF" }]);
  });

  it("say that there is no such batch", async () => {
    const id = "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e";
    expect(await docmill("results", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("no batch") });
    expect(await docmill("status", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("no batch") });
  });
});

describe("whoever stops watching, or loses the server", () => {
  it("leaves the work running after Ctrl-C, and is told how to look again", async () => {
    // Nobody is there to do the work, so that the interruption comes before its end.
    const waiting = await createTestDatabase();
    onTestFinished(() => waiting.drop());
    const place = { ...serving, DATABASE_URL: waiting.url };
    const idle = await startServe(["--port", "0", "--no-workers"], { env: place });
    onTestFinished(() => idle.server.kill("SIGKILL"));
    const there = { env: { DOCMILL_SERVER: idle.url } };
    const watching = spawnDocmill(["heats", "--swimmer", swimmer, sheets], there);
    await watching.says(/program\.pdf queued/);
    watching.kill("SIGINT");
    const { code, stdout } = await watching.ended;
    const id = batchIn(stdout);
    expect(stdout).toContain(`The work goes on. Look again: docmill results ${id}\n`);
    expect(code).toBe(130);

    const early = await runDocmill(["results", id], there);
    expect(early.stdout).toMatch(/^Not finished: 0 of 2 sheets done so far\. Look again: docmill results /);
    expect(early.code).toBe(0);
    const worker = spawnDocmill(["worker"], { env: place });
    onTestFinished(() => worker.kill("SIGKILL"));
    const late = await until(async () => {
      const shown = await runDocmill(["results", id], there);
      return !shown.stdout.includes("Not finished") && shown;
    });
    expect(shownSwims(late.stdout).toSorted()).toEqual(linesOf(program).toSorted());
    expect(late.code).toBe(0);
    for (const one of [worker, idle.server]) {
      one.kill("SIGTERM");
      await one.ended;
    }
  });

  it("goes on watching when the server is killed and comes back", async () => {
    const own = await createTestDatabase();
    onTestFinished(() => own.drop());
    const place = { ...serving, DATABASE_URL: own.url };
    const port = String(await findFreePort());
    const first = await startServe(["--port", port], { env: place });
    onTestFinished(() => first.server.kill("SIGKILL"));
    const url = files.serve({ name: "held.pdf", bytes: sunday.pdf });
    const held = files.holdNext();
    const args = ["heats", "--swimmer", swimmer, join(sheets, "program.pdf"), url];
    const watching = spawnDocmill(args, { env: { DOCMILL_SERVER: first.url } });
    await held;
    await watching.says(/held\.pdf downloading/);
    await watching.says(/program\.pdf done/);
    first.server.kill("SIGKILL");
    await first.server.ended;
    await watching.says(/does not answer; trying again/);

    const second = await startServe(["--port", port], { env: place });
    onTestFinished(() => second.server.kill("SIGKILL"));
    const { code, stdout } = await watching.ended;
    expect(stdout.match(/^program\.pdf done/gm)).toHaveLength(1);
    expect(stdout.match(/^held\.pdf done/gm)).toHaveLength(1);
    expect(shownSwims(stdout).toSorted()).toEqual([...linesOf(program), ...linesOf(sunday)].toSorted());
    expect(code).toBe(0);
    second.server.kill("SIGTERM");
    await second.server.ended;
  });
});
