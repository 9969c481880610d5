/** Documents in a real browser against a real server: brought in, watched, interrupted in every way, found, and never trusted. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killedServer, longTest } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";
import { type DocumentClient, openDocumentClient, type SampleFile } from "../support/document-place.ts";
import { answerWith, type HeatOrigin, hang, startHeatOrigin } from "../support/heat-origin.ts";
import { tabTo } from "../support/keyboard.ts";
import { makeScannedDocument } from "../support/scanned-document.ts";

let origin: HeatOrigin;
let place: BrowserPlace;
let client: DocumentClient;
beforeAll(async () => {
  origin = await startHeatOrigin();
  // One thread: pages of a scan come one after the other, slowly enough to be watched.
  const env = { DOCMILL_THREADS: "1", DOCMILL_FETCH_ALLOW: origin.host };
  place = await openBrowserPlace(env);
  client = openDocumentClient(place.url);
});
afterAll(async () => {
  await place.close();
  await origin.close();
});

const asPayload = ({ name, bytes }: SampleFile, mimeType: string) => ({ name, mimeType, buffer: Buffer.from(bytes) });
const markdown = (name: string, text: string) => asPayload({ name, bytes: Buffer.from(text) }, "text/markdown");

/** Presses what opens a file chooser, and chooses. */
async function choose(page: Page, opener: Locator, file: ReturnType<typeof asPayload>): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await opener.click();
  await (await chooser).setFiles(file);
}

const isReady = (page: Page) => page.locator("header [data-state=Ready]").waitFor();

it(
  "uploads, shows how far it is, survives the death of the server and finishes, all without a reload",
  longTest,
  async () => {
    const scan = await makeScannedDocument("ferry.pdf", 9);
    const { page, loads } = await place.openTab("/documents", { expected: killedServer });
    await choose(page, page.getByRole("button", { name: "Upload files" }), asPayload(scan, "application/pdf"));
    const uploads = page.getByRole("region", { name: "Uploads" });
    await uploads.getByText("1 file uploaded").waitFor();
    await uploads.getByRole("link", { name: "ferry.pdf" }).click();

    const progress = page.getByRole("progressbar", { name: "Progress of this document" });
    const pagesRead = () => progress.getAttribute("aria-valuetext");
    await expect.poll(pagesRead, { timeout: 45_000 }).toMatch(/^[2-6] of 9$/);
    await place.kill();
    await page.getByText("Connection lost").waitFor();
    expect(await pagesRead()).toMatch(/of 9$/);

    await place.restart();
    await page.getByText("Connection lost").waitFor({ state: "detached" });
    await isReady(page);
    await page.getByText("nobody has ever seen it return empty").first().waitFor();
    expect(loads()).toBe(1);
  },
);

it("a document whose address hangs can be stopped, and goes on when it is let", async () => {
  const url = origin.on("/slow.md", hang, answerWith(200, { "content-type": "text/markdown" }, Buffer.from("# Slow")));
  const { page } = await place.openTab("/documents");
  await page.getByRole("button", { name: "Add from a URL" }).click();
  await page.getByLabel("Address of the document").fill(url);
  await page.getByRole("button", { name: "Add document" }).click();
  await expect.poll(() => origin.calls("/slow.md")).toBe(1);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Reading was stopped").waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await isReady(page);
});

it("a document that failed says why, and is read when it is tried again", async () => {
  const lost = answerWith(404);
  const url = origin.on("/late.md", lost, answerWith(200, { "content-type": "text/markdown" }, Buffer.from("# Late")));
  const { id } = (await client.post("/api/documents/from-url", { url })).body;
  await client.reaches(id, ({ status }) => status === "Failed");
  const { page } = await place.openTab("/");
  const failed = page.getByRole("region", { name: "Failed lately" });
  await failed.getByText("404").waitFor();
  await failed.getByRole("button", { name: /Try again: late/ }).click();
  await failed.getByText("Nothing has failed").waitFor();
  await page.getByRole("region", { name: "Done lately" }).getByRole("link", { name: "Late" }).waitFor();
});

describe("with the keyboard alone", () => {
  it("a file is brought in, opened, searched for and found", async () => {
    const { page } = await place.openTab("/");
    // Asked for well before it is needed: the browser takes a moment until it tells instead of opening a dialog.
    const chooser = page.waitForEvent("filechooser");
    await tabTo(page, page.getByRole("button", { name: /Drop documents here/ }));
    await page.keyboard.press("Enter");
    const text = "# Lamps\n\nThe lighthouse of Grellmoor burns colza oil in winter.\n";
    await (await chooser).setFiles(markdown("lamps.md", text));

    await tabTo(page, page.getByRole("region", { name: "Uploads" }).getByRole("link", { name: "lamps.md" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /lamps/i }).waitFor();
    await isReady(page);

    await tabTo(page, page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Search" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    const box = page.getByLabel("Search in all documents");
    if (!(await box.evaluate((node) => node.ownerDocument.activeElement === node))) await tabTo(page, box);
    await page.keyboard.type("Grellmoor colza");
    await page.keyboard.press("Enter");

    await tabTo(page, page.getByRole("main").getByRole("link", { name: /lamps/i }).first());
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/documents\/.+start=/);
    await page.locator("mark").filter({ hasText: "colza" }).first().waitFor();
  });
});

describe("what stands in documents", () => {
  const attack = `<img src=x onerror="window.ran=1"><script>window.ran=2</script>`;

  it("is shown as text and runs nothing, wherever it is shown", async () => {
    const name = `<img src=x onerror=window.ran=3>.md`;
    const text = `# Title ${attack}\n\nA quokka ${attack} appears. [press](javascript:window.ran=4) ![i](javascript:window.ran=5)\n`;
    const { id } = await client.upload({ name, bytes: Buffer.from(text) });
    await client.reaches(id, ({ status }) => status === "Ready");
    await client.post("/admin/books", { title: attack, author: attack });
    const { page } = await place.openTab("/");
    const views: [path: string, shows: RegExp][] = [
      ["/", /onerror/],
      ["/documents", /onerror/],
      [`/documents/${id}`, /quokka/],
      [`/documents/${id}?tab=passages`, /quokka/],
      ["/search?q=quokka", /quokka/],
      ["/books", /<script>/],
    ];
    for (const [path, shows] of views) {
      await page.goto(place.url + path);
      await page.getByRole("main").getByText(shows).first().waitFor();
      expect(
        await page.locator("main script, main img[src='x'], main [onerror], main a[href^=javascript]").count(),
      ).toBe(0);
    }
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });
});
