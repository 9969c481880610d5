/** A parent at home: a swimmer's schedule, made of heat sheets while one watches, whatever happens to the server meanwhile. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killedServer, longTest } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";
import { answerWith, type HeatOrigin, hang, servePdf, startHeatOrigin } from "../support/heat-origin.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";

let origin: HeatOrigin;
let place: BrowserPlace;
beforeAll(async () => {
  origin = await startHeatOrigin();
  place = await openBrowserPlace({ DOCMILL_FETCH_ALLOW: origin.host });
});
afterAll(async () => {
  await place.close();
  await origin.close();
});

/** A program of a meet of its own: of one meet, the same swim in two sheets is one. Two swims are the swimmer's. */
const programOf = (name: string) => makeProgram(name, { name: `Invented ${name.replace(".pdf", "")} Open` }).bytes;

interface Sheets {
  files?: readonly string[];
  addresses?: readonly string[];
}

/** Through the form; the page then shows the batch. */
async function makeSchedule(page: Page, { files = [], addresses = [] }: Sheets): Promise<void> {
  await page.locator("input").and(page.getByLabel("Swimmer's name")).fill(swimmer);
  if (files.length > 0) {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose heat sheets, or drop them here" }).click();
    const payloads = files.map((name) => ({
      name,
      mimeType: "application/pdf",
      buffer: Buffer.from(programOf(name)),
    }));
    await (await chooser).setFiles(payloads);
  }
  if (addresses.length > 0) {
    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("tabpanel", { name: "Links" }).getByRole("textbox").fill(addresses.join("\n"));
  }
  await page.getByRole("button", { name: "Make the schedule" }).click();
  await page.getByRole("heading", { level: 1, name: swimmer }).waitFor();
}

const sheetOf = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });
/** The schedule as a whole says it before its sessions do. */
const shows = (page: Page, count: RegExp) =>
  page.getByRole("region", { name: "Schedule" }).getByText(count).first().waitFor();
const isIn = (page: Page, state: string) => page.locator(`header [data-state=${state}]`).waitFor();

it(
  "the first sheets are shown while the last still hangs; a killed server costs nothing, and no reload",
  longTest,
  async () => {
    const last = origin.on("/last.pdf", hang, servePdf(programOf("last.pdf")));
    const { page, loads } = await place.openTab("/batches/new", { expected: killedServer });
    await makeSchedule(page, { files: ["one.pdf", "two.pdf", "three.pdf"], addresses: [last] });
    await shows(page, /^6 swims so far/);
    await sheetOf(page, "last.pdf").getByText("downloading", { exact: true }).waitFor();
    await page
      .getByRole("progressbar", { name: "Heat sheets read" })
      .and(page.locator("[aria-valuetext='3 of 4']"))
      .waitFor();

    await place.kill();
    await page.getByText("Connection lost").waitFor();
    await shows(page, /^6 swims so far/);
    await place.restart();
    await page.getByText("Connection lost").waitFor({ state: "detached" });

    await isIn(page, "completed");
    await shows(page, /^8 swims/);
    await sheetOf(page, "last.pdf").getByText("done", { exact: true }).waitFor();
    expect(loads()).toBe(1);
  },
);

it("a batch can be cancelled, and what is missing read later", async () => {
  const address = origin.on("/hangs.pdf", hang, servePdf(programOf("hangs.pdf")));
  const { page } = await place.openTab("/batches/new");
  await makeSchedule(page, { files: ["first.pdf"], addresses: [address] });
  await sheetOf(page, "hangs.pdf").getByText("downloading", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await sheetOf(page, "hangs.pdf").getByText("cancelled", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Read the rest" }).click();
  await isIn(page, "completed");
  await shows(page, /^4 swims/);
});

it("a sheet that failed says why, and is read when it is tried again", async () => {
  const address = origin.on("/absent.pdf", answerWith(404), servePdf(programOf("absent.pdf")));
  const { page } = await place.openTab("/batches/new");
  await makeSchedule(page, { addresses: [address] });
  await isIn(page, "failed");
  await sheetOf(page, "absent.pdf").getByText("404").waitFor();
  await page.getByRole("button", { name: /^Try again: .*absent\.pdf$/ }).click();
  await isIn(page, "completed");
  await shows(page, /^2 swims/);
});
