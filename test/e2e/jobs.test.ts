/** The table of jobs with ten thousand of them: all can be reached, few are in the page at any moment. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { longTest } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine } from "../support/test-engine.ts";

const count = 10_000;
const chore = pipeline("chore", { input: z.object({}) }).stage("work", () => undefined);

let database: TestDatabase;
let place: BrowserPlace;
beforeAll(async () => {
  database = await createTestDatabase();
  const engine = openTestEngine({ url: database.url, pipelines: [chore] });
  const jobs = Array.from({ length: count / 10 }, () => chore.job({}));
  for (let tenth = 0; tenth < 10; tenth++) await engine.enqueueMany(jobs);
  await engine.close();
  const env = { DATABASE_URL: database.url, DOCMILL_WORKERS: "false" };
  place = await openBrowserPlace(env);
});
afterAll(async () => {
  await place.close();
  await database.drop();
});

it("loads further jobs while one scrolls, to the last of them, and keeps the page small", longTest, async () => {
  const { page, requests } = await place.openTab("/jobs");
  const table = page.getByRole("table", { name: "Jobs" });
  const rows = table.getByRole("row");
  await table.getByRole("row").nth(1).waitFor();
  const last = page.locator(`[aria-rowindex="${count + 1}"]`);
  let most = 0;
  while ((await last.count()) === 0) {
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    most = Math.max(most, await rows.count());
  }
  await last.scrollIntoViewIfNeeded();
  expect(await last.innerText()).toContain("pending");
  expect(await table.getAttribute("aria-rowcount")).toBe(String(count + 1));
  expect(most).toBeLessThan(200);
  const pages = requests.filter((request) => request.url().includes("/api/jobs?"));
  expect(pages.length).toBeGreaterThan(10);
});

it("a job is cancelled and retried from its row", async () => {
  const { page } = await place.openTab("/jobs");
  const first = page.getByRole("table", { name: "Jobs" }).getByRole("row").nth(1);
  await first.getByRole("button", { name: "Cancel Chore" }).click();
  await first.getByText("cancelled").waitFor();
  await first.getByRole("button", { name: "Retry Chore" }).click();
  await first.getByText("pending").waitFor();
});
