/** `docmill demo` as a newcomer types it, against a real server with the samples. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeHeatSheets } from "../../scripts/samples/make-heat-sheets.ts";
import { runDocmill, scriptProgram, spawnDocmill } from "../support/docmill-process.ts";
import { openSamplePlace, type SamplePlace } from "../support/sample-place.ts";

/** Five documents, four sheets and ten pages by OCR, also on a machine with other things to do. */
const timeout = 180_000;

describe("docmill demo", () => {
  let place: SamplePlace;
  let env: Record<string, string>;
  beforeAll(async () => {
    place = await openSamplePlace();
    await place.startWorker();
    env = { DOCMILL_SERVER: place.url };
  });
  afterAll(() => place?.close());

  it("shows the samples being worked on, and then what there is to see", { timeout }, async () => {
    const { code, stdout, stderr } = await runDocmill(["demo"], { env });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^water-report\.pdf completed$/m);
    expect(stdout).toMatch(/^1-saturday-morning\.pdf done: 2 swims/m);
    expect(stdout).toMatch(/^Work Made Easy: final names completed$/m);
    expect(stdout).toMatch(/^Invoice for two booster pumps: 1 page, 1 passage, \d\d fields, 3 tables$/m);
    expect(stdout).toMatch(
      /Two documents say the opposite:\n {2}Leaks in the pipes of the old town have (?:in|de)creased/,
    );
    for (const { eventNumber, eventName, lane } of makeHeatSheets().swims) {
      expect(stdout).toMatch(new RegExp(`  #${eventNumber} ${eventName}: heat \\d of \\d, lane ${lane},`));
    }
    expect(stdout).toContain("Work Made Easy: 10 pages read, 2 topics, 4 subtopics\n");
    expect(stdout).toContain("  Levers and wheels: Levers; Wheels and axles\n");
    for (const kind of ["documents", "batches", "books"]) {
      expect(stdout).toMatch(new RegExp(`${place.url}/${kind}/[0-9a-f-]{36}$`, "m"));
    }
    expect(code).toBe(0);
  });

  it("prints nothing but what came out for scripts", { timeout }, async () => {
    const { code, stdout } = await runDocmill(["demo", "--json"], { env });
    const { documents, results, guidelines, addresses } = JSON.parse(stdout);
    expect(documents.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill("Ready"));
    expect(results.totalEvents).toBe(makeHeatSheets().swims.length);
    expect(guidelines.total_subtopics).toBe(4);
    expect(addresses.documents).toHaveLength(5);
    expect(addresses.book).toMatch(new RegExp(`^${place.url}/books/`));
    expect(code).toBe(0);
  });

  it.skipIf(!scriptProgram)("has a bar for everything in a terminal", { timeout }, async () => {
    const { code, stdout } = await spawnDocmill(["demo"], { env, terminal: true }).ended;
    expect(stdout).toMatch(/invoice\.pdf +\[=+\] completed/);
    expect(stdout).toMatch(/1-saturday-morning\.pdf +\[=+\] done: 2 swims/);
    expect(stdout).toMatch(/Work Made Easy: pages +\[=+-+\] ocr: \d of 10 items/);
    expect(code).toBe(0);
  });

  it("fails where a sample does, and says which", { timeout }, async () => {
    const report = join(place.samples, "documents", "water-report.pdf");
    const whole = await readFile(report);
    await writeFile(report, "%PDF-1.4\nthis is no PDF at all, only its first line is\n");
    const { code, stdout } = await runDocmill(["demo"], { env });
    await writeFile(report, whole);
    expect(stdout).toMatch(/^water-report\.pdf [0-9a-f-]{36}: failed \([A-Z_]+\): .*\n? *Try again: docmill retry/m);
    expect(stdout).toContain("Work Made Easy: 10 pages read");
    expect(code).toBe(1);
  });

  it("says what to do where the samples are not there", async () => {
    await rename(place.samples, `${place.samples}-away`);
    const { code, stdout, stderr } = await runDocmill(["demo"], { env });
    await rename(`${place.samples}-away`, place.samples);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^docmill: The samples are not there.*npm run build.*\(SAMPLES_MISSING\)\n$/);
  });

  it("says that no server is there", async () => {
    const { code, stderr } = await runDocmill(["demo", "--server", "http://127.0.0.1:9"], { env });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/There is no Docmill server at .*docmill serve/)]);
  });

  it("has help with examples", async () => {
    const { code, stdout } = await runDocmill(["demo", "--help"], { env });
    expect(stdout).toMatch(/Usage: docmill demo[\s\S]*Examples:[\s\S]*Exit code:/);
    expect(code).toBe(0);
  });
});

describe("whoever stops watching the samples", () => {
  it("leaves the work waiting for whoever does it, and is told how to look again", async () => {
    // Without a worker nothing can be over before the interruption.
    const place = await openSamplePlace();
    const watching = spawnDocmill(["demo"], { env: { DOCMILL_SERVER: place.url } });
    await watching.says(/Work Made Easy: pages waiting/);
    watching.kill("SIGINT");
    const { code, stdout } = await watching.ended;
    expect(stdout).toMatch(/The work goes on\. Look again: docmill status, or docmill results [0-9a-f-]{36}\n/);
    expect(stdout).toMatch(new RegExp(`The book's next step is yours: ${place.url}/books/[0-9a-f-]{36}\n$`));
    expect(code).toBe(130);
    const { stdout: status } = await runDocmill(["status", "--json"], { env: { DOCMILL_SERVER: place.url } });
    // Five documents, four sheets and the pages of the book.
    expect(JSON.parse(status).stats.jobs).toMatchObject({ pending: 10, cancelled: 0 });
    await place.close();
  });
});
