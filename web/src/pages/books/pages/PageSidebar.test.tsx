// @vitest-environment happy-dom
/** The sidebar tells the state of every page in words, also of 500, and reads one again that failed. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BookPage } from "../../../../../src/contract/books.ts";
import { type FakeServer, startFakeServer } from "../../../testing/fake-server.ts";
import { makePage, makePages } from "../../../testing/made-up/books.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { PageSidebar } from "./PageSidebar.tsx";

const retry = "POST /admin/books/book/pages/4/retry-ocr";
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer({ [retry]: () => ({ page_num: 4, ocr_status: "completed", ocr_error: null }) });
});

afterEach(closeApp);

const pages: BookPage[] = [
  makePage(1, { status: "approved" }),
  makePage(2),
  makePage(3, { ocr_status: "processing" }),
  makePage(4, { ocr_status: "failed", ocr_error: "The image is damaged" }),
  makePage(5, { ocr_status: "pending" }),
];

async function show(shown: readonly BookPage[], held = false) {
  const onSelect = vi.fn();
  renderInApp(<PageSidebar bookId="book" pages={shown} current={2} held={held} onSelect={onSelect} />);
  const list = within(await screen.findByRole("navigation", { name: "Pages" }));
  return { onSelect, links: () => list.getAllByRole("link").map(({ textContent }) => textContent) };
}

test("every state is a word, and the page that is shown is marked", async () => {
  const { links } = await show(pages);
  expect(links().map((text) => text?.replace(/page_.*/, ""))).toEqual([
    "Page 1, OCR done, approved",
    "Page 2, OCR done, to be reviewed",
    "Page 3, OCR at work",
    "Page 4, OCR failed",
    "Page 5, Waits for OCR",
  ]);
  expect(screen.getByRole("link", { current: "page" }).textContent).toContain("Page 2");
  expect(screen.getByTitle("The image is damaged")).toBeDefined();
});

test("a page is gone to by its link, and 500 are listed", async () => {
  const { onSelect, links } = await show(makePages(500));
  expect(links()).toHaveLength(500);
  await userEvent.click(screen.getByRole("link", { name: /^Page 377\b/ }));
  expect(onSelect).toHaveBeenCalledWith(377);
});

test("only those that failed, and the one that is shown", async () => {
  const { links } = await show(pages);
  await userEvent.selectOptions(screen.getByLabelText("Which pages"), "Failed (1)");
  expect(links()).toHaveLength(2);
});

test("a page that failed is read again", async () => {
  await show(pages);
  await userEvent.click(screen.getByRole("button", { name: "Read page 4 again" }));
  expect(server.writes).toEqual([retry]);
});

test("while a job is at work none can be read again", async () => {
  await show(pages, true);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Read page 4 again" }).disabled).toBe(true);
});
