// @vitest-environment happy-dom
/** A subtopic that is being edited is never lost without a question: not by leaving, by cancelling or by folding it. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Guidelines, Subtopic } from "../../../../../src/contract/books.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { type FakeServer, startFakeServer } from "../../../testing/fake-server.ts";
import { makeBookOf, makePages } from "../../../testing/made-up/books.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { TopicList } from "./TopicList.tsx";

const put = "PUT /admin/books/book/guidelines/levers";
const levers: Subtopic = {
  id: "levers",
  topic_key: "machines",
  topic_title: "Simple machines",
  subtopic_key: "levers",
  subtopic_title: "Levers",
  summary: "What a lever is.",
  guidelines: "Begin with a seesaw.",
  source_page_start: 1,
  source_page_end: 2,
  pages: [1, 2],
  status: "stable",
  version: 1,
  confidence: 0.9,
  provenance: "model",
};
const guidelines: Guidelines = {
  book_id: "book",
  total_subtopics: 1,
  topics: [{ topic_key: "machines", topic_title: "Simple machines", subtopics: [levers] }],
};

let server: FakeServer;

beforeEach(() => {
  // A field that grows with its text listens for fonts, which happy-dom has not.
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
  server = startFakeServer({ [put]: () => levers });
});

afterEach(closeApp);

const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const summary = () => screen.findByLabelText<HTMLTextAreaElement>("Summary");

async function edit(): Promise<void> {
  renderInApp(
    <>
      <TextLink to="/jobs">Elsewhere</TextLink>
      <TopicList book={makeBookOf(makePages(2))} guidelines={guidelines} />
    </>,
  );
  await click(/^Levers/);
  await click("Edit");
  await userEvent.type(await summary(), " More.");
}

test("leaving asks, and can save on the way", async () => {
  await edit();
  await userEvent.click(screen.getByRole("link", { name: "Elsewhere" }));
  expect(await screen.findByText("“Levers” is not saved")).toBeDefined();
  await click("Stay");
  expect((await summary()).value).toBe("What a lever is. More.");
  await userEvent.click(screen.getByRole("link", { name: "Elsewhere" }));
  await click("Save and go on");
  await vi.waitFor(() => expect(server.bodyOf(put)).toEqual({ summary: "What a lever is. More." }));
});

test("cancelling asks once something was typed", async () => {
  await edit();
  await click("Cancel");
  await click("Keep it");
  expect((await summary()).value).toBe("What a lever is. More.");
  await click("Cancel");
  await click("Throw it away");
  await screen.findByRole("button", { name: "Edit" });
  await click("Edit");
  expect((await summary()).value).toBe("What a lever is.");
  await click("Cancel");
  expect(await screen.findByRole("button", { name: "Edit" })).toBeDefined();
  expect(server.writes).toEqual([]);
});

test("folding keeps what was typed", async () => {
  await edit();
  await click(/^Levers/);
  await vi.waitFor(() =>
    expect(screen.getByRole("button", { name: /^Levers/ }).getAttribute("aria-expanded")).toBe("false"),
  );
  await click(/^Levers/);
  expect((await summary()).value).toBe("What a lever is. More.");
});
