// @vitest-environment happy-dom
/** The sample book is taken through its steps: each is started once, when the one before has ended well. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import { type Answers, bookRefusal, type FakeServer, startFakeServer } from "../../../testing/fake-server.ts";
import { makeBookJob, makeBookWith } from "../../../testing/made-up/books.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { SampleBook } from "./SampleBook.tsx";

const approve = "POST /admin/books/book/pages/approve-all";
const generate = "POST /admin/books/book/generate-guidelines";
const finalize = "POST /admin/books/book/finalize";
const readAgain = "POST /admin/books/book/pages/retry-failed";

/** A server that holds one book, which its calls move on. */
function serve(book: BookDetail, answers: Answers = {}) {
  const held = { book };
  const server = startFakeServer({
    "GET /admin/books/book": () => held.book,
    [approve]: () => ({ approved: [] }),
    [generate]: () => {
      held.book = makeBookWith({ ocr_batch: "completed", extraction: "running" });
      return { status: "started" };
    },
    [finalize]: () => {
      held.book = makeBookWith({ ocr_batch: "completed", extraction: "completed", finalization: "running" });
      return { status: "started" };
    },
    [readAgain]: () => {
      held.book = makeBookWith({ ocr_batch: "running" });
      return { status: "started" };
    },
    ...answers,
  });
  renderInApp(<SampleBook id="book" />);
  return { held, server };
}

/** Enough news for everything that might be done twice to be done twice. */
async function hearNews(server: FakeServer) {
  for (let times = 0; times < 3; times++) await server.tellActivity([{ kind: "ocr_batch" }]);
}

const statesShown = () => screen.getAllByRole("listitem").map(({ lastElementChild }) => lastElementChild?.textContent);

afterEach(closeApp);

describe("what is started", () => {
  test.each([
    ["nothing while its pages are read", makeBookWith({ ocr_batch: "running" }), []],
    ["approval and guidelines when they are", makeBookWith({ ocr_batch: "completed" }), [approve, generate]],
    ["nothing while guidelines are written", makeBookWith({ ocr_batch: "completed", extraction: "running" }), []],
    ["the last step when they are", makeBookWith({ ocr_batch: "completed", extraction: "completed" }), [finalize]],
    [
      "nothing once all is done",
      makeBookWith({ ocr_batch: "completed", extraction: "completed", finalization: "completed" }),
      [],
    ],
    ["nothing by itself after a failure", makeBookWith({ ocr_batch: "completed", extraction: "failed" }), []],
    ["nothing by itself once it was cancelled", makeBookWith({ ocr_batch: "cancelled" }), []],
  ])("%s", async (_, book, expected) => {
    const { server } = serve(book);
    await screen.findByRole("heading", { name: "A book: Work Made Easy" });
    await hearNews(server);
    expect(server.writes).toEqual(expected);
  });
});

test("it goes through all steps and leads to the guidelines", async () => {
  const { held, server } = serve(makeBookWith({ ocr_batch: "running" }));
  await screen.findByText("Read 10 scanned pages");
  expect(statesShown()).toEqual(["running", "waiting", "waiting"]);

  held.book = makeBookWith({ ocr_batch: "completed" });
  await server.tellActivity([{ kind: "ocr_batch" }]);
  await vi.waitFor(() => expect(statesShown()).toEqual(["done", "running", "waiting"]));
  expect(server.bodyOf(generate)).toEqual({ resume: true });

  held.book = makeBookWith({ ocr_batch: "completed", extraction: "completed" });
  await server.tellActivity([{ kind: "extraction" }]);
  await vi.waitFor(() => expect(statesShown()).toEqual(["done", "done", "running"]));

  held.book = makeBookWith({ ocr_batch: "completed", extraction: "completed", finalization: "completed" });
  await server.tellActivity([{ kind: "finalization" }]);
  const link = await screen.findByRole("link", { name: "Look at the guidelines" });
  expect(link.getAttribute("href")).toBe("/books/book?tab=guidelines");
  expect(server.writes).toEqual([approve, generate, finalize]);
});

test("a step that another tab has started is no failure", async () => {
  const { held, server } = serve(makeBookWith({ ocr_batch: "completed" }), {
    [approve]: () => {
      held.book = makeBookWith({ ocr_batch: "completed", extraction: "running" });
      return bookRefusal(409, "Job extraction is running for this book. Wait for it, or cancel it first.");
    },
  });
  await vi.waitFor(() => expect(statesShown()).toEqual(["done", "running", "waiting"]));
  await hearNews(server);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(server.writes).toEqual([approve]);
});

test("a refusal that nobody else explains is shown, and can be tried again", async () => {
  let refused = false;
  const { server } = serve(makeBookWith({ ocr_batch: "completed" }), {
    [approve]: () => {
      if (refused) return { approved: [] };
      refused = true;
      return bookRefusal(409, "Pages are being uploaded to this book. Wait until they are in.");
    },
  });
  expect((await screen.findByRole("alert")).textContent).toContain("Pages are being uploaded");
  await hearNews(server);
  expect(server.writes).toEqual([approve]);

  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(statesShown()).toEqual(["done", "running", "waiting"]));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(server.writes).toEqual([approve, approve, generate]);
});

test("a refusal is forgotten once the book has moved on without this tab", async () => {
  const { held, server } = serve(makeBookWith({ ocr_batch: "completed" }), {
    [approve]: () => bookRefusal(409, "Pages are being uploaded to this book. Wait until they are in."),
  });
  await screen.findByRole("alert");
  held.book = makeBookWith({ ocr_batch: "completed", extraction: "running" });
  await server.tellActivity([{ kind: "extraction" }]);
  await vi.waitFor(() => expect(statesShown()).toEqual(["done", "running", "waiting"]));
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  ["reading", makeBookWith({ ocr_batch: "failed" }), "ocr_batch", [readAgain]],
  ["writing", makeBookWith({ ocr_batch: "completed", extraction: "failed" }), "extraction", [approve, generate]],
  [
    "finishing",
    makeBookWith({ ocr_batch: "completed", extraction: "completed", finalization: "failed" }),
    "finalization",
    [finalize],
  ],
] as const)("a failed step says why and is tried again on request: %s", async (_, book, type, expected) => {
  const job = makeBookJob({ job_type: type, status: "failed", error_message: "The worker was lost." });
  const { server } = serve({ ...book, latest_jobs: { ...book.latest_jobs, [type]: job } });
  await screen.findByText("The worker was lost.");
  expect(server.writes).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(server.writes).toEqual(expected));
  await vi.waitFor(() => expect(statesShown()).toContain("running"));
});
