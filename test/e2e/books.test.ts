/** A scanned book in a real browser: pages brought in and read, guidelines interrupted by the death of the server and resumed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerAboutBooks } from "../support/book-model.ts";
import { killedServer, longTest } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { samplePage } from "../support/sample-pages.ts";

/** From when it was first asked of page 3 on, the language model leaves everyone without an answer, until it is mended. */
let hangs = false;
let isMended = false;

let model: FakeService;
let place: BrowserPlace;
beforeAll(async () => {
  model = await startFakeOpenAi({
    plan: () => (hangs ? "hang" : undefined),
    answerChat(question) {
      if (!isMended && question.text.includes("\nPage 3:\n")) hangs = true;
      return answerAboutBooks(question);
    },
  });
  const env = { DOCMILL_MODEL: "teacher", DOCMILL_MODEL_URL: `${model.url}/v1` };
  place = await openBrowserPlace(env);
});
afterAll(async () => {
  await place.close();
  await model.close();
});

/** Lines stand apart, so that OCR takes each for a paragraph of its own. */
const pages = [
  ["Chapter 1: Fractions", "", "1.1 Halves", "", "A half is one part of two."],
  ["A quarter is one part of four.", "", "Two quarters make a half."],
  ["1.2 Adding", "", "Add the numerators."],
  ["The denominator stays as it is."],
  ["Chapter 2: Magnets", "", "2.1 Poles", "", "A magnet has two poles."],
];

it("scans become guidelines; after kill -9 they are resumed from the page where they stopped", longTest, async () => {
  const { page, loads } = await place.openTab("/books", { expected: killedServer });
  await page.getByRole("button", { name: "New book" }).click();
  await page.getByLabel("Title").fill("Sums and Magnets");
  await page.getByRole("button", { name: "Create the book" }).click();

  const scans = await Promise.all(pages.map((lines, index) => samplePage(`page_${index + 1}.png`, ...lines)));
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /Drop the scans here/ }).click();
  const payloads = scans.map(({ name, bytes }) => ({ name, mimeType: "image/png", buffer: Buffer.from(bytes) }));
  await (await chooser).setFiles(payloads);
  await page.getByRole("button", { name: "Upload all and start OCR" }).click();
  await page.getByRole("button", { name: /^Approve all/ }).click();

  await page.getByRole("tab", { name: "Guidelines" }).click();
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  await page.getByText(/2\/5 pages \(40 %\) · now page 3/).waitFor();
  await place.kill();
  await page.getByText("Connection lost").waitFor();
  [hangs, isMended] = [false, true];
  await place.restart();

  await page.getByText("Generation stopped").waitFor();
  await page.getByText(/Job interrupted/).waitFor();
  await page.getByRole("button", { name: "Resume from page 3" }).click();
  await page.locator("[data-state=completed]").filter({ hasText: "Generated" }).waitFor();
  const topics = page.getByRole("region", { name: "Topics" });
  await topics.getByText("2 topics, 3 subtopics").waitFor();
  expect(loads()).toBe(1);
});
