/** `/docs` in a real browser: it asks nobody but this server, breaks no policy, and what it shows can be tried out. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/operations.ts";
import { longTest } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";

let place: BrowserPlace;
beforeAll(async () => {
  place = await openBrowserPlace();
});
afterAll(() => place.close());

describe("the page at /docs", () => {
  it("lists every operation under its tag and asks nobody else", longTest, async () => {
    const { page, requests } = await place.openTab("/docs");
    await page.locator(".opblock").first().waitFor();
    expect(await page.locator(".opblock").count()).toBe(Object.keys(operations).length);
    expect(await page.locator(".opblock-tag a span").allInnerTexts()).toEqual(
      expect.arrayContaining(["Documents", "Search", "Batches", "Books", "Jobs", "System", "Access"]),
    );
    const foreign = requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith(place.url) && !/^data:/.test(url));
    expect(foreign).toEqual([]);
  });

  it("tries GET /api/stats out and shows its answer", longTest, async () => {
    const { page } = await place.openTab("/docs");
    const [response] = await tryOut(page, "readStats", "/api/stats");
    expect(response.status()).toBe(200);
    const shown = page.locator("#operations-System-readStats .responses-table.live-responses-table");
    await shown.waitFor();
    expect(await shown.innerText()).toContain("endedPerMinute");
  });

  it("sends a key that was entered", longTest, async () => {
    // The server is open, and looks at a key that is presented all the same.
    const { page } = await place.openTab("/docs", { expected: /401 \(Unauthorized\)/ });
    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.locator("#auth-bearer-value").fill("dm_wrong");
    await page.getByRole("button", { name: "Apply credentials" }).first().click();
    await page.locator(".btn-done").first().click();
    const [response, headers] = await tryOut(page, "readStats", "/api/stats");
    expect(headers.authorization).toBe("Bearer dm_wrong");
    expect(response.status()).toBe(401);
  });

  it("can be read where the browser prefers dark colours", longTest, async () => {
    const { page } = await place.openTab("/docs", { colorScheme: "dark" });
    await page.locator(".opblock").first().waitFor();
    const [text, background] = await page.evaluate<string[]>(`[
      getComputedStyle(document.querySelector(".opblock-summary-description")).color,
      getComputedStyle(document.documentElement).backgroundColor,
    ]`);
    expect(brightness(text) - brightness(background)).toBeGreaterThan(300);
  });
});

/** Of a colour like rgb(1, 2, 3): from 0 to 765. */
function brightness(colour = ""): number {
  return (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
}

/** Opens an operation, has it sent and answers what came back, and with which headers it was asked. */
async function tryOut(page: Page, operationId: string, path: string) {
  const operation = page.locator(`[id$="-${operationId}"].opblock`);
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = await answered;
  return [response, await response.request().allHeaders()] as const;
}
