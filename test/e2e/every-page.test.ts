/** Every page, without and with something to show: nothing on it keeps people out, in both themes, and on a phone nothing hangs over. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { desktop, longTest, phone } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";
import { everyPlace } from "../support/every-place.ts";
import { fillWithSamples } from "../support/fill-with-samples.ts";
import { findBarriers } from "../support/find-barriers.ts";
import { until } from "../support/until.ts";

let place: BrowserPlace;
beforeAll(async () => {
  place = await openBrowserPlace();
});
afterAll(() => place.close());

/** The page as it is once everything it asked for has come. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(place.url + path);
  await page.getByRole("heading").first().waitFor();
  await until(async () => (await page.locator("[role=status][aria-label^=Loading]").count()) === 0);
}

/** All that is wrong with the page, by where it was seen. */
async function examine(page: Page, path: string): Promise<Record<string, unknown>> {
  await goTo(page, path);
  const light = await findBarriers(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  const dark = await findBarriers(page, ["color-contrast", "link-in-text-block"]);
  await page.setViewportSize(phone);
  const narrow = await findBarriers(page, ["scrollable-region-focusable", "button-name", "label", "target-size"]);
  const overhang = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(desktop);
  return { light, dark, narrow, overhang };
}

const nothing = { light: [], dark: [], narrow: [], overhang: 0 };

describe("without anything", () => {
  it("every place", longTest, async () => {
    const { page } = await place.openTab("/");
    for (const path of [...everyPlace.map(({ path }) => path), "/batches/new", "/nowhere"]) {
      expect.soft({ path, ...(await examine(page, path)) }).toEqual({ path, ...nothing });
    }
  });

  it("a document, a batch, a book, a job and a result that are not there say so", longTest, async () => {
    const { page } = await place.openTab("/", { expected: /status of 404/ });
    const id = "00000000-0000-7000-8000-000000000000";
    for (const path of [`/documents/${id}`, `/batches/${id}`, `/books/${id}`, `/jobs/${id}`, "/results/NOBODY"]) {
      expect.soft({ path, ...(await examine(page, path)) }).toEqual({ path, ...nothing });
      expect.soft(await page.locator("body").innerText()).toMatch(/There is no|is not here any more|not found/);
    }
  });
});

describe("with the samples in it", () => {
  let samples: Awaited<ReturnType<typeof fillWithSamples>>;
  beforeAll(async () => {
    samples = await fillWithSamples(place.url);
  });

  it("every place", longTest, async () => {
    const { page } = await place.openTab("/");
    for (const { path } of everyPlace) {
      expect.soft({ path, ...(await examine(page, path)) }).toEqual({ path, ...nothing });
    }
  });

  it("every detail", longTest, async () => {
    const { documentIds, batchId, bookId, jobId, resultCode } = samples;
    const { page } = await place.openTab("/");
    const paths = [
      ...documentIds.map((id) => `/documents/${id}`),
      ...["passages", "extracted", "connections", "jobs"].map((tab) => `/documents/${documentIds[0]}?tab=${tab}`),
      "/search?q=water",
      `/batches/${batchId}`,
      `/results/${resultCode}`,
      `/books/${bookId}`,
      `/books/${bookId}?tab=guidelines`,
      `/jobs/${jobId}`,
    ];
    for (const path of paths) {
      expect.soft({ path, ...(await examine(page, path)) }).toEqual({ path, ...nothing });
    }
  });
});
