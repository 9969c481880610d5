/**
 * Pages in a real Chromium, for tests. A page that throws, complains in its console or breaks its content security policy
 * fails the test that opened it, and a failed test leaves a picture of the page in node_modules/.cache/docmill-e2e.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { expect, onTestFinished } from "vitest";

const pictures = fileURLToPath(new URL("../../node_modules/.cache/docmill-e2e", import.meta.url));

/** How long something on a page may take: the machine may be slow and busy. */
const patienceMs = 45_000;
/** For tests that wait for much of it. */
export const longTest = { timeout: 180_000 } as const;

export const phone = { width: 375, height: 720 } as const;
export const desktop = { width: 1280, height: 860 } as const;

export interface TabOptions extends Pick<BrowserContextOptions, "colorScheme" | "extraHTTPHeaders"> {
  viewport?: { width: number; height: number };
  /** Complaints of the console that belong to the test: requests to a server that it has killed. */
  expected?: RegExp;
}

export interface Tab {
  readonly page: Page;
  /** All that the page asked for, in order. */
  readonly requests: readonly Request[];
  /** How often it was loaded: once, unless it was left for another address or reloaded. */
  loads(): number;
}

/** What a browser says of requests to a server that is gone or goes meanwhile. */
export const killedServer =
  /Failed to load resource: net::ERR_(CONNECTION_|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED|EMPTY_RESPONSE)/;

export async function openTab(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
  const { viewport = desktop, colorScheme = "light", expected, extraHTTPHeaders } = options;
  // Without motion: what fades in is there at once, in its own colour.
  const steady = { reducedMotion: "reduce", locale: "en-GB" } as const;
  const context = await browser.newContext({ viewport, colorScheme, extraHTTPHeaders, ...steady });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: Request[] = [];
  let loads = 0;
  page.on("pageerror", ({ message }) => complaints.push(`thrown: ${message}`));
  page.on("console", (message) => {
    const [type, text] = [message.type(), message.text()];
    if ((type === "error" || type === "warning") && !expected?.test(text)) complaints.push(`${type}: ${text}`);
  });
  page.on("request", (request) => requests.push(request));
  page.on("load", () => loads++);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await page.screenshot({ path: pictureOf(task.name), fullPage: true });
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(url);
  return { page, requests, loads: () => loads };
}

function pictureOf(test: string): string {
  return join(pictures, `${test.replace(/\W+/g, "-")}.png`);
}
