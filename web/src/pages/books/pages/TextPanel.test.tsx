// @vitest-environment happy-dom
/** What was typed stays until it is saved or discarded, and is never lost without a question. */
import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { oneBook } from "../../../api/books.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { bookRefusal, type FakeServer, startFakeServer } from "../../../testing/fake-server.ts";
import { makeBookOf, makePage } from "../../../testing/made-up/books.ts";
import { makeJob } from "../../../testing/made-up/jobs.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { useBookChanges } from "../use-book-changes.ts";
import { TextPanel } from "./TextPanel.tsx";

const put = "PUT /admin/books/book/pages/1/text";
const approve = "PUT /admin/books/book/pages/1/approve";

let server: FakeServer;
let text: string;
let isBusy: boolean;
const onSelect = vi.fn();

beforeEach(() => {
  text = "A lever is a stif bar.";
  isBusy = false;
  onSelect.mockReset();
  server = startFakeServer({
    "GET /admin/books/book": () => makeBookOf([makePage(1), makePage(2, { status: "approved" }), makePage(3)]),
    "GET /admin/books/book/pages/1": () => ({ ...makePage(1), ocr_text: text }),
    [put]: ({ body }) => {
      if (isBusy) return bookRefusal(409, "Job 7 (ocr_batch) is running for this book.");
      text = (body as { text: string }).text;
      return { ...makePage(1), ocr_text: text };
    },
    [approve]: () => makePage(1, { status: "approved" }),
  });
});

afterEach(closeApp);

function Shown({ held }: { held: string | null }) {
  useBookChanges("book");
  const { data: book } = useQuery(oneBook("book"));
  const page = book?.pages[0];
  return (
    <>
      <TextLink to="/jobs">Elsewhere</TextLink>
      {book && page && <TextPanel book={book} page={page} held={held} onSelect={onSelect} />}
    </>
  );
}

async function show(held: string | null = null): Promise<HTMLTextAreaElement> {
  renderInApp(<Shown held={held} />);
  return screen.findByLabelText<HTMLTextAreaElement>("Text of page 1");
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("a correction is saved by the keyboard", async () => {
  const field = await show();
  expect(field.value).toBe(text);
  expect(button("Save").disabled).toBe(true);
  await userEvent.type(field, " More.");
  expect(screen.getByText("Not saved")).toBeDefined();
  await userEvent.keyboard("{Control>}s{/Control}");
  expect(await screen.findByText("Saved")).toBeDefined();
  expect(server.bodyOf(put)).toEqual({ text: "A lever is a stif bar. More." });
  expect(button("Save").disabled).toBe(true);
});

test("what is fetched meanwhile does not touch what was typed", async () => {
  const field = await show();
  await userEvent.type(field, " More.");
  text = "Somebody else's";
  await server.tellActivity([makeJob({ kind: "ocr_batch", status: "running", lockKey: "book:book" })]);
  expect(field.value).toBe("A lever is a stif bar. More.");
});

test("a refusal keeps the text", async () => {
  isBusy = true;
  const field = await show();
  await userEvent.type(field, " More.");
  await userEvent.click(button("Save"));
  expect(field.value).toBe("A lever is a stif bar. More.");
  expect(screen.getByText("Not saved")).toBeDefined();
});

test("approving saves first, and by the keyboard goes on to the next that nobody has approved", async () => {
  const field = await show();
  await userEvent.type(field, " More.{Control>}{Enter}{/Control}");
  await vi.waitFor(() => expect(onSelect).toHaveBeenCalledWith(3));
  expect(server.writes).toEqual([put, approve]);
});

test("leaving asks what becomes of the text", async () => {
  const field = await show();
  await userEvent.type(field, " More.");
  await userEvent.click(screen.getByRole("link", { name: "Elsewhere" }));
  expect(await screen.findByText("The text of page 1 is not saved")).toBeDefined();
  await userEvent.click(button("Stay"));
  expect(field.value).toBe("A lever is a stif bar. More.");
  await userEvent.click(screen.getByRole("link", { name: "Elsewhere" }));
  await userEvent.click(await screen.findByRole("button", { name: "Save and go on" }));
  await vi.waitFor(() => expect(server.writes).toEqual([put]));
});

test("while a job holds the book the text can be read and typed, but not saved", async () => {
  const field = await show("OCR is under way: changes can be saved when it has ended.");
  await userEvent.type(field, " More.");
  expect(button("Save").disabled).toBe(true);
  await userEvent.keyboard("{Control>}s{/Control}");
  expect(server.writes).toEqual([]);
});
