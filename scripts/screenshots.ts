/**
 * Takes pictures of every page of the web UI, with the samples in it, in both themes: into `screenshots/`, or with `--docs`
 * the few that the documentation shows into `docs/screenshots/`.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { launchChromium } from "../test/support/chromium.ts";
import { fillWithSamples } from "../test/support/fill-with-samples.ts";
import { openServedPlace } from "../test/support/served-place.ts";
import { until } from "../test/support/until.ts";

interface Picture {
  name: string;
  path: string;
  /** On a telephone instead of a desk. */
  phone?: boolean;
  /** In which themes the documentation shows it. */
  docs?: readonly Theme[];
}

const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

const desk = { viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 };
const telephone = { viewport: { width: 375, height: 1_080 }, deviceScaleFactor: 2 };

async function listPictures(url: string): Promise<Picture[]> {
  const { documentIds, batchId, bookId, jobId, resultCode } = await fillWithSamples(url);
  const [invoice, report] = documentIds;
  return [
    { name: "home", path: "/", docs: ["light", "dark"] },
    { name: "documents", path: "/documents" },
    { name: "document", path: `/documents/${report}`, docs: ["light"] },
    { name: "document-fields", path: `/documents/${invoice}?tab=extracted`, docs: ["light"] },
    { name: "search", path: "/search?q=who+pays+for+the+pumps", docs: ["light"] },
    { name: "batches", path: "/batches" },
    { name: "batch-new", path: "/batches/new" },
    { name: "schedule", path: `/batches/${batchId}`, docs: ["light"] },
    { name: "schedule-phone", path: `/batches/${batchId}`, phone: true, docs: ["light", "dark"] },
    { name: "shared-result", path: `/results/${resultCode}` },
    { name: "shared-result-phone", path: `/results/${resultCode}`, phone: true },
    { name: "books", path: "/books" },
    { name: "book", path: `/books/${bookId}?page=3`, docs: ["light"] },
    { name: "book-guidelines", path: `/books/${bookId}?tab=guidelines` },
    { name: "jobs", path: "/jobs" },
    { name: "job", path: `/jobs/${jobId}`, docs: ["dark"] },
    { name: "workers", path: "/workers" },
    { name: "settings", path: "/settings" },
  ];
}

async function take(browser: Browser, url: string, { path, phone }: Picture, theme: Theme): Promise<Buffer> {
  const context = await browser.newContext({ ...(phone ? telephone : desk), colorScheme: theme, locale: "en-GB" });
  try {
    const page = await context.newPage();
    await page.goto(url + path);
    await isAtRest(page);
    // Few colours are enough for a page, and make a small file.
    return await sharp(await page.screenshot())
      .png({ palette: true, colours: 128, effort: 10 })
      .toBuffer();
  } finally {
    await context.close();
  }
}

/** Everything has come that the page asked for, its images and charts included. */
async function isAtRest(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await until(() =>
    page.evaluate<boolean>(
      `document.querySelector("[role=status][aria-label^=Loading]") === null &&
       [...document.images].every((image) => image.complete)`,
    ),
  );
  // Charts grow into their place, and nothing says when they are done.
  await page.waitForTimeout(1_500);
}

const { values: options } = parseArgs({ options: { docs: { type: "boolean", default: false } } });
const folder = join(import.meta.dirname, "..", options.docs ? "docs/screenshots" : "screenshots");

await using place = await openServedPlace();
await using browser = await launchChromium();
const pictures = await listPictures(place.url);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const picture of pictures) {
  for (const theme of options.docs ? (picture.docs ?? []) : themes) {
    const file = join(folder, `${picture.name}-${theme}.png`);
    const png = await take(browser, place.url, picture, theme);
    await writeFile(file, png);
    console.log(`${file}  ${Math.round(png.length / 1_000)} kB`);
  }
}
