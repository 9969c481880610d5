/** A server that asks for keys, as people meet it: signing in and out, being refused, looking only, and managing keys. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreatedApiKey, KeyScope } from "../../src/contract/access.ts";
import { openTab, phone, type Tab } from "../support/browser.ts";
import { launchChromium } from "../support/chromium.ts";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { findBarriers } from "../support/find-barriers.ts";
import { tabTo } from "../support/keyboard.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const opened = new AsyncDisposableStack();
let browser: Browser;
let url: string;
let admin: string;

beforeAll(async () => {
  const folder = await makeTemporaryFolder();
  opened.defer(() => removeTemporaryFolder(folder));
  const place = ["--data-dir", join(folder, "data")];
  const made = await runDocmill(["keys", "create", "--name", "ops", "--scope", "admin", "--json", ...place]);
  admin = (JSON.parse(made.stdout) as CreatedApiKey).key;
  const serve = await startServe(["--port", "0", ...place], { env: { DOCMILL_REQUIRE_KEYS: "true" } });
  opened.defer(async () => {
    serve.server.kill("SIGTERM");
    await serve.server.ended;
  });
  url = serve.url;
  browser = await launchChromium();
  opened.defer(() => browser.close());
});
afterAll(() => opened.disposeAsync());

/** What a browser says of every request that is refused, whatever the page makes of it. */
const refused = /status of (401|403|404|409)/;

async function asAdmin(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${admin}`, "content-type": "application/json" };
  const response = await fetch(url + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response;
}

async function makeKey(name: string, scope: KeyScope): Promise<CreatedApiKey> {
  return (await asAdmin("POST", "/api/keys", { name, scope })).json() as Promise<CreatedApiKey>;
}

const open = (path: string): Promise<Tab> => openTab(browser, url + path, { expected: refused });
const keyField = (page: Page) => page.getByLabel("API key", { exact: true });

async function signIn(page: Page, key: string): Promise<void> {
  await keyField(page).fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function openSignedIn(path: string, key: string): Promise<Tab> {
  const tab = await open(path);
  await signIn(tab.page, key);
  await shown(tab.page);
  return tab;
}

/** Resolves when a page of the application is shown. */
const shown = (page: Page) => page.getByRole("navigation", { name: "Places" }).waitFor();

describe("signing in", () => {
  it("leads back to the page, by a cookie that no script can read; of the key nothing is left", async () => {
    const { page, requests } = await open("/jobs?state=failed");
    await keyField(page).waitFor();
    const asked = () =>
      requests.map((request) => new URL(request.url()).pathname).filter((path) => /^\/(api|admin)/.test(path));
    expect(asked()).toEqual(["/api/session"]);

    await signIn(page, `${admin.slice(0, -4)}aaaa`);
    await page.getByRole("alert").getByText("This key is wrong, was revoked or has expired").waitFor();
    await until(() => keyField(page).evaluate((node) => node.ownerDocument.activeElement === node));
    expect(await page.context().cookies()).toEqual([]);

    await signIn(page, admin);
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    expect(page.url()).toBe(`${url}/jobs?state=failed`);
    await page.getByRole("button", { name: "Signed in as ops, admin" }).waitFor();

    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: "docmill_session", httpOnly: true, sameSite: "Strict", path: "/" });
    expect(await page.evaluate("document.cookie")).toBe("");
    const kept = await page.evaluate<string>(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state]) + document.documentElement.outerHTML",
    );
    const secret = admin.slice(-20);
    expect(kept).not.toContain(secret);
    expect(requests.filter((request) => request.url().includes(secret))).toEqual([]);

    await page.goto(`${url}/sign-in?back=${encodeURIComponent("//elsewhere.invalid/")}`);
    await page.waitForURL(`${url}/`);
    await shown(page);
  });

  it("is not asked of whoever got a link", async () => {
    const { page, requests } = await open("/results/NOBODYS1");
    await page.getByText("This schedule is not here any more").waitFor();
    expect(page.url()).toBe(`${url}/results/NOBODYS1`);
    const answers = await Promise.all(requests.map(async (request) => (await request.response())?.status()));
    expect(answers).not.toContain(401);
  });

  it("keeps nobody out, in both themes and on a phone", async () => {
    const { page } = await open("/sign-in");
    await signIn(page, "dm_nonsense");
    await page.getByRole("alert").waitFor();
    expect(await examine(page)).toEqual(nothing);
  });
});

const nothing = { light: [], dark: [], narrow: [], overhang: 0 };

/** All that is wrong with the page, in both themes, and how much of it hangs over on a phone. */
async function examine(page: Page) {
  const light = await findBarriers(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  const dark = await findBarriers(page);
  await page.setViewportSize(phone);
  const narrow = await findBarriers(page, ["scrollable-region-focusable", "button-name", "label", "target-size"]);
  const overhang = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return { light, dark, narrow, overhang };
}

it("who signs out leaves nothing behind: not by going back, nor in another tab", async () => {
  const { page } = await openSignedIn("/batches", (await makeKey("leaver", "write")).key);
  await page.getByRole("link", { name: "Books" }).click();
  await page.getByRole("heading", { level: 1, name: "Books" }).waitFor();
  const [cookie] = await page.context().cookies();
  const other = await page.context().newPage();
  await other.goto(`${url}/documents`);
  await shown(other);
  await page.getByRole("button", { name: "Signed in as leaver, write" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(`${url}/sign-in`);
  expect(await page.context().cookies()).toEqual([]);
  const stolen = await fetch(`${url}/api/jobs`, { headers: { cookie: `docmill_session=${cookie?.value}` } });
  expect(stolen.status).toBe(401);

  await page.goBack();
  await keyField(page).waitFor();
  await other.getByRole("link", { name: "Books" }).click();
  await other.waitForURL(`${url}/sign-in?back=%2Fbooks`);
});

it("a key that is revoked while its pages are open leads to sign in, and what was being uploaded is not lost", async () => {
  const { id, key } = await makeKey("clerk", "write");
  const { page: idle } = await openSignedIn("/workers", key);
  const { page, requests } = await openSignedIn("/documents", key);
  const chooser = page.locator("input[type=file]").first();
  await chooser.waitFor({ state: "attached" });
  // Held on its way: the key is revoked between the click and the server, and not a moment too early.
  const sent = Promise.withResolvers<void>();
  const revoked = Promise.withResolvers<void>();
  await page.route("**/api/documents", async (route) => {
    if (route.request().method() === "POST") {
      sent.resolve();
      await revoked.promise;
    }
    await route.continue();
  });
  await chooser.setInputFiles({ name: "late.txt", mimeType: "text/plain", buffer: Buffer.from("Water boils.") });
  await sent.promise;
  await asAdmin("DELETE", `/api/keys/${id}`);
  revoked.resolve();
  await page.getByText("1 file not uploaded").waitFor();
  await page.waitForURL(`${url}/sign-in?back=%2Fdocuments`);
  // Nobody asks on behalf of somebody who is not there.
  const asked = requests.length;
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await signIn(page, key);
  await page.getByRole("alert").getByText("was revoked").waitFor();
  expect(requests.slice(asked).map((request) => `${request.method()} ${new URL(request.url()).pathname}`)).toEqual([
    "POST /api/session",
  ]);

  await signIn(page, (await makeKey("clerk", "write")).key);
  const uploads = page.getByRole("region", { name: "Uploads" });
  await uploads.getByRole("button", { name: "Try again" }).click();
  await uploads.getByText("1 file uploaded").waitFor();
  expect(page.url()).toBe(`${url}/documents`);

  // The stream ends at the server's next sign of life, and is refused when the page comes back for it.
  await idle.waitForURL(`${url}/sign-in?back=%2Fworkers`);
});

it("whoever may only look sees everything, presses nothing, and is told why", async () => {
  const { page } = await openSignedIn("/documents", (await makeKey("guest", "read")).key);
  await page.getByRole("button", { name: "Signed in as guest, read" }).waitFor();
  const upload = page.getByRole("button", { name: "Upload files" });
  expect(await upload.getAttribute("aria-disabled")).toBe("true");
  await tabTo(page, upload);
  await page.getByRole("tooltip").getByText("Your key may only look").last().waitFor();
  await page.goto(`${url}/`);
  await page.getByText("Your key may only look").first().waitFor();
  await page.goto(`${url}/settings`);
  await page.getByText("Yours has the scope read").waitFor();
  expect(await page.getByRole("button", { name: "New key" }).count()).toBe(0);
  expect(await page.evaluate(`fetch("/api/samples", { method: "POST" }).then(({ status }) => status)`)).toBe(403);
});

it("keys are made and revoked in the settings, and the log tells", async () => {
  const { page } = await openSignedIn("/settings", admin);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("scanner");
  await dialog.getByRole("radio", { name: "read" }).check();
  await dialog.getByRole("button", { name: "Make the key" }).click();
  const key = await dialog.getByLabel("API key of scanner").inputValue();
  const ask = () => fetch(`${url}/api/jobs`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Done, I have kept it" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(key);

  await page.getByRole("button", { name: "Revoke scanner" }).click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await page.getByText("The key “scanner” is revoked.").waitFor();
  expect((await ask()).status).toBe(401);
  await page.getByText("ops revoked the key scanner").waitFor();
  await page.getByText("ops made the key scanner").waitFor();
  expect(await examine(page)).toEqual(nothing);
});

it("the last key that manages keys stays, and the page says why", async () => {
  const { page } = await openSignedIn("/settings", admin);
  await page.getByRole("button", { name: "Revoke ops" }).click();
  await page.getByText("You are signed in with it").waitFor();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await page.getByText("This is the last key that may manage keys").waitFor();
});
