// @vitest-environment happy-dom
/** Newcomers are welcomed and shown samples; everybody else sees their work. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { DropTargetProvider } from "../../shell/DropAnywhere.tsx";
import { startFakeServer } from "../../testing/fake-server.ts";
import { makeBatch } from "../../testing/made-up/batches.ts";
import { makeBookWith } from "../../testing/made-up/books.ts";
import { makeUnreadDocument } from "../../testing/made-up/documents.ts";
import { closeApp, renderInApp } from "../../testing/open-app.tsx";
import { HomePage } from "./HomePage.tsx";
import { samplesKey } from "./samples/use-started-samples.ts";

const nothing = () => ({ items: [], nextCursor: null });
const emptyServer = {
  "GET /api/documents": nothing,
  "GET /api/batch": nothing,
  "GET /api/jobs": nothing,
  "GET /admin/books": () => ({ books: [] }),
};

function renderHome() {
  renderInApp(
    <DropTargetProvider>
      <HomePage />
    </DropTargetProvider>,
  );
}

afterEach(() => {
  closeApp();
  localStorage.clear();
});

test("somebody who has nothing here is welcomed, and can watch the samples", async () => {
  const started = { documentIds: ["document"], bookId: "book", batchId: "batch" };
  const server = startFakeServer({
    ...emptyServer,
    "POST /api/samples": () => started,
    "GET /api/documents/document": () => makeUnreadDocument({ title: "Invoice" }),
    "GET /api/batch/batch": () => ({ batch: makeBatch({ status: "running" }), jobs: [] }),
    "GET /admin/books/book": () => makeBookWith({ ocr_batch: "running" }),
  });
  renderHome();
  await screen.findByRole("heading", { name: "Welcome to Docmill", level: 1 });
  expect(screen.queryByRole("heading", { name: "Running now" })).toBeNull();

  await userEvent.click(screen.getByRole("button", { name: "Try it with samples" }));
  expect(await screen.findByRole("link", { name: "Invoice" })).toBeDefined();
  expect(screen.getByRole("heading", { name: "Running now" })).toBeDefined();
  expect(server.writes).toEqual(["POST /api/samples"]);
  expect(JSON.parse(localStorage.getItem(samplesKey) ?? "null")).toEqual(started);
});

test("somebody who has work sees it, and is not welcomed before that is known", async () => {
  startFakeServer({
    ...emptyServer,
    "GET /api/batch": () => ({
      items: [makeBatch({ swimmerName: "Runa Elmford", status: "running", totalJobs: 15, completedJobs: 3 })],
      nextCursor: null,
    }),
  });
  renderHome();
  await screen.findByRole("heading", { name: "Home", level: 1 });
  expect(screen.queryByText("Documents in, answers out")).toBeNull();
  expect(await screen.findByRole("link", { name: "Heat sheets for Runa Elmford" })).toBeDefined();
  expect(screen.getByText("3/15 (20 %)")).toBeDefined();
  expect(screen.getByRole("button", { name: "Try it with samples" })).toBeDefined();
});

test("a document can be added by its address", async () => {
  const server = startFakeServer({ ...emptyServer, "POST /api/documents/from-url": () => makeUnreadDocument() });
  renderHome();
  const field = await screen.findByRole("textbox", { name: "Address of a document" });
  await userEvent.type(field, " https://example.com/paper.pdf {Enter}");
  await vi.waitFor(() =>
    expect(server.bodyOf("POST /api/documents/from-url")).toEqual({ url: "https://example.com/paper.pdf" }),
  );
  await vi.waitFor(() => expect((field as HTMLInputElement).value).toBe(""));
});
