/** The frame around every page: what it costs to load and to leave open, its colours, its menu, and its connection. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killedServer, longTest, phone } from "../support/browser.ts";
import { type BrowserPlace, openBrowserPlace } from "../support/browser-place.ts";
import { everyPlace } from "../support/every-place.ts";
import { until } from "../support/until.ts";

let place: BrowserPlace;
beforeAll(async () => {
  place = await openBrowserPlace();
});
afterAll(() => place.close());

const isStream = (url: string) => url.endsWith("/api/stream");

describe("the first load", () => {
  it.each(["br", "gzip"])("takes less than 300 kB of scripts in %s", async (encoding) => {
    const { page, requests } = await place.openTab("/", { extraHTTPHeaders: { "accept-encoding": encoding } });
    await page.getByRole("heading", { level: 1 }).waitFor();
    // What the page fetches once it is there, its charts for example, is part of it.
    await settled(page, requests);
    const scripts = requests.filter((request) => request.resourceType() === "script");
    let bytes = 0;
    for (const script of scripts) {
      const response = await script.response();
      expect([script.url(), response?.headers()["content-encoding"]]).toEqual([script.url(), encoding]);
      bytes += (await script.sizes()).responseBodySize;
    }
    expect(scripts.length).toBeGreaterThan(1);
    expect(bytes).toBeLessThan(300_000);
  });
});

describe("a page that is left open", () => {
  it("asks for nothing but its one stream while nothing happens, wherever it stands", longTest, async () => {
    const tabs = await Promise.all(everyPlace.map(({ path }) => place.openTab(path)));
    for (const { page, requests } of tabs) {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page, requests);
      expect(requests.filter((request) => isStream(request.url()))).toHaveLength(1);
    }
    const [first] = tabs;
    const before = tabs.map(({ requests }) => requests.length);
    await first?.page.waitForTimeout(5_000);
    const later = tabs.flatMap(({ requests }, tab) => requests.slice(before[tab]).map((request) => request.url()));
    expect(later).toEqual([]);
  });

  it("holds no connection while nobody sees it, and has one again as soon as somebody does", async () => {
    const { page, requests } = await place.openTab("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await until(() => requests.some((request) => isStream(request.url())));
    const closed = page.waitForEvent("requestfailed", (request) => isStream(request.url()));
    await setHidden(page, true);
    expect((await closed).failure()?.errorText).toBe("net::ERR_ABORTED");
    const opened = page.waitForRequest((request) => isStream(request.url()));
    await setHidden(page, false);
    await opened;
  });
});

/** Chromium without a window never hides a page by itself. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate(
    `Object.defineProperty(document, "hidden", { configurable: true, get: () => ${hidden} });
     document.dispatchEvent(new Event("visibilitychange"));`,
  );
}

/** Resolves when the page has asked for nothing new for a while. */
async function settled(page: Page, requests: readonly unknown[]): Promise<void> {
  for (let known = -1; known !== requests.length; ) {
    known = requests.length;
    await page.waitForTimeout(500);
  }
}

describe("colours", () => {
  const shown = (page: Page, scheme: string) => page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  const choose = async (page: Page, name: string) => {
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("menuitem", { name }).click();
  };

  it("follow the system until somebody chooses, and keep what was chosen", async () => {
    const { page } = await place.openTab("/", { colorScheme: "dark" });
    await shown(page, "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await shown(page, "light");
    await choose(page, "Dark");
    await shown(page, "dark");
    await page.reload();
    await shown(page, "dark");
    await page.getByRole("button", { name: "Colours: Dark" }).waitFor();
    await choose(page, "As the system");
    await shown(page, "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await shown(page, "dark");
  });
});

describe("on a phone", () => {
  it("the menu opens, leads everywhere and closes behind whoever goes", async () => {
    const { page } = await place.openTab("/", { viewport: phone });
    for (const { label, path } of everyPlace) {
      await page.getByRole("button", { name: "Open the menu" }).click();
      await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: label }).click();
      await page.waitForURL(place.url + path);
      await page.getByRole("button", { name: "Open the menu" }).waitFor();
    }
  });
});

describe("security", () => {
  it("every page allows scripts of its own server only, and cannot be framed", async () => {
    const paths = [
      ...everyPlace.map(({ path }) => path),
      "/batches/new",
      "/documents/x",
      "/results/nobodys",
      "/nowhere",
    ];
    for (const path of paths) {
      const { headers } = await fetch(place.url + path, { headers: { accept: "text/html" } });
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  it("what a page does not bring itself does not run, and would fail these tests", async () => {
    const complaint = /Content Security Policy/;
    const { page } = await place.openTab("/", { expected: complaint });
    const refused = page.waitForEvent("console", (message) => complaint.test(message.text()));
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", "<p onclick='window.ran = true'>press</p>")`);
    await page.getByText("press").click();
    expect((await refused).type()).toBe("error");
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });
});

it("a server that is gone is told of, and found again, without a reload", async () => {
  const { page, loads } = await place.openTab("/jobs", { expected: killedServer });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await place.kill();
  await page.getByText("Connection lost").waitFor();
  await place.restart();
  await page.getByText("Connection lost").waitFor({ state: "detached" });
  expect(loads()).toBe(1);
});
