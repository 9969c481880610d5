// @vitest-environment happy-dom
/** The samples are shown until they are put away, or are gone from the server. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startFakeServer } from "../../../testing/fake-server.ts";
import { makeBatch } from "../../../testing/made-up/batches.ts";
import { makeBookWith } from "../../../testing/made-up/books.ts";
import { makeDocument, makeUnreadDocument } from "../../../testing/made-up/documents.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { SamplesPanel } from "./SamplesPanel.tsx";
import { samplesKey, useStartedSamples } from "./use-started-samples.ts";

const started = { documentIds: ["one", "two"], bookId: "book", batchId: "batch" };

function Panel() {
  const { samples, putAway } = useStartedSamples();
  return samples ? <SamplesPanel samples={samples} onPutAway={putAway} /> : <p>No samples</p>;
}

beforeEach(() => localStorage.setItem(samplesKey, JSON.stringify(started)));

afterEach(() => {
  closeApp();
  localStorage.clear();
});

test("shows how far each is, and where to look", async () => {
  startFakeServer({
    "GET /api/documents/one": () => makeDocument({ id: "one", title: "Invoice" }),
    "GET /api/documents/two": () => makeUnreadDocument({ id: "two", title: "Report" }),
    "GET /api/batch/batch": () => ({
      batch: makeBatch({ status: "running", totalJobs: 4, completedJobs: 1 }),
      jobs: [],
    }),
    "GET /admin/books/book": () => makeBookWith({ ocr_batch: "running" }),
  });
  renderInApp(<Panel />);
  expect((await screen.findByRole("link", { name: "Invoice" })).getAttribute("href")).toBe("/documents/one");
  expect(await screen.findByText("1/2 (50 %)")).toBeDefined();
  expect(await screen.findByText("1/4 (25 %)")).toBeDefined();
  expect((await screen.findByRole("link", { name: "Look at the schedule" })).getAttribute("href")).toBe(
    "/batches/batch",
  );

  await userEvent.click(screen.getByRole("button", { name: "Hide" }));
  expect(await screen.findByText("No samples")).toBeDefined();
  expect(localStorage.getItem(samplesKey)).toBeNull();
});

test("failed documents are tried again together", async () => {
  const failed = (id: string) => makeDocument({ id, status: "Failed", errorMessage: "The PDF is damaged." });
  const server = startFakeServer({
    "GET /api/documents/one": () => failed("one"),
    "GET /api/documents/two": () => failed("two"),
    "POST /api/documents/one/retry": () => makeUnreadDocument({ id: "one" }),
    "POST /api/documents/two/retry": () => makeUnreadDocument({ id: "two" }),
    "GET /admin/books/book": () => makeBookWith({ ocr_batch: "running" }),
  });
  renderInApp(<Panel />);
  await screen.findByText("The PDF is damaged.");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await vi.waitFor(() =>
    expect(server.writes).toEqual(["POST /api/documents/one/retry", "POST /api/documents/two/retry"]),
  );
});

test("puts itself away when the server knows none of them", async () => {
  startFakeServer();
  renderInApp(<Panel />);
  expect(await screen.findByText("No samples")).toBeDefined();
  expect(localStorage.getItem(samplesKey)).toBeNull();
});

test("something else under its name in the browser is no sample", async () => {
  localStorage.setItem(samplesKey, "[1, 2");
  startFakeServer();
  renderInApp(<Panel />);
  expect(await screen.findByText("No samples")).toBeDefined();
});
