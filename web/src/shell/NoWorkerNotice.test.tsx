// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { startFakeServer } from "../testing/fake-server.ts";
import { makeCounts } from "../testing/made-up/system.ts";
import { closeApp, renderInApp } from "../testing/open-app.tsx";
import { NoWorkerNotice } from "./NoWorkerNotice.tsx";

afterEach(closeApp);

const title = "Nobody works on jobs at the moment";

test("is there only while jobs wait and no worker is alive", async () => {
  const server = startFakeServer();
  renderInApp(<NoWorkerNotice />);
  const pending = (count: number) =>
    server.tellActivity([], { stats: { jobs: makeCounts({ pending: count }) }, complete: false });
  await pending(2);
  expect(screen.queryByText(title)).toBeNull();
  await server.tell("/api/stream", { type: "workers", items: [{ state: "lost" }] });
  expect(screen.getByText(title)).toBeDefined();
  expect(screen.getByText(/2 jobs wait for a worker/)).toBeDefined();
  expect(screen.getByRole("link").getAttribute("href")).toBe("/workers");
  await pending(0);
  expect(screen.queryByText(title)).toBeNull();
  await pending(1);
  await server.tell("/api/stream", { type: "workers", items: [{ state: "alive" }] });
  expect(screen.queryByText(title)).toBeNull();
});
