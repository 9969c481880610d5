// @vitest-environment happy-dom
/** The page shows how the server is set up and whether it is well; what is not set up is no error. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { SystemInfo } from "../../../../src/contract/system.ts";
import { type Answers, startFakeServer } from "../../testing/fake-server.ts";
import { closeApp, renderInApp } from "../../testing/open-app.tsx";
import { SettingsPage } from "./SettingsPage.tsx";

const info: SystemInfo = {
  version: "1.2.3",
  startedAt: new Date().toISOString(),
  providers: [
    { use: "database", name: "PostgreSQL 18", hint: null },
    { use: "model", name: null, hint: "DOCMILL_MODEL would write guidelines" },
  ],
  settings: [
    { env: "PORT", value: "3001", origin: "flag", meaning: "Port of the HTTP server." },
    { env: "DOCMILL_WORKERS", value: "true", origin: "default", meaning: "Whether `serve` runs jobs itself." },
  ],
};

const answers: Answers = {
  "GET /api/system": () => info,
  "GET /readyz": () => ({ ready: true, checks: {} }),
  "GET /api/keys": () => ({ items: [] }),
  "GET /api/audit": () => ({ items: [], nextBefore: null }),
};

afterEach(closeApp);

test("shows version, providers with hints, and settings that can be searched", async () => {
  startFakeServer(answers);
  renderInApp(<SettingsPage />);
  expect(await screen.findByText("1.2.3")).toBeDefined();

  const model = within(screen.getByRole("heading", { name: "Language model" }).closest("li") as HTMLElement);
  expect(model.getByText("not set up")).toBeDefined();
  expect(model.getByText("DOCMILL_MODEL").tagName).toBe("CODE");
  expect(screen.queryByRole("alert")).toBeNull();

  expect(screen.getByText("2 settings")).toBeDefined();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search settings" }), "workers");
  expect(screen.getByText("1 setting")).toBeDefined();
  expect(screen.getByText("DOCMILL_WORKERS")).toBeDefined();
  expect(screen.queryByText("PORT")).toBeNull();

  await userEvent.type(screen.getByRole("searchbox", { name: "Search settings" }), " nonsense");
  expect(screen.getByText(/No setting is called that/)).toBeDefined();
});

test("a check that fails says why, and can be looked at again", async () => {
  let well = false;
  startFakeServer({
    ...answers,
    "GET /readyz": () =>
      well
        ? { ready: true, checks: { storage: { ok: true } } }
        : Response.json(
            { ready: false, checks: { storage: { ok: false, message: "Cannot be reached." } } },
            { status: 503 },
          ),
  });
  renderInApp(<SettingsPage />);
  expect(await screen.findByText("not working")).toBeDefined();
  expect(screen.getByText("Cannot be reached.")).toBeDefined();

  well = true;
  await userEvent.click(screen.getByRole("button", { name: "Look again" }));
  expect(await screen.findByText("fine")).toBeDefined();
  expect(screen.queryByText("Cannot be reached.")).toBeNull();
});
