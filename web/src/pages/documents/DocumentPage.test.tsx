// @vitest-environment happy-dom
/** A document is shown at the place its address names, and what people do with it reaches the server. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { type Answers, refusal, startFakeServer } from "../../testing/fake-server.ts";
import { makeConnection, makeDocument, makeUnreadDocument } from "../../testing/made-up/documents.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

afterEach(closeApp);

const { id, jobId } = makeDocument();
const markdown = "# The Mill\n\nIt stands by the river.\n\nIt grinds rye. Nobody knows since when.";
const secondPage = markdown.indexOf("It grinds");
const passage = { start: secondPage, end: markdown.indexOf(" Nobody") };

const answers: Answers = {
  [`GET /api/documents/${id}`]: () => makeDocument(),
  [`GET /api/documents/${id}/markdown`]: () => ({
    markdown,
    pages: [
      { page: 1, offset: 0 },
      { page: 2, offset: secondPage },
    ],
  }),
  [`GET /api/documents/${id}/outline`]: () => ({ items: [], nextCursor: null }),
  ...Object.fromEntries(
    [1, 2].map((page) => [
      `GET /api/documents/${id}/pages/${page}/words`,
      () => ({
        page,
        width: 600,
        height: 800,
        source: "text",
        words: ["It", "grinds", "rye."].map((text, i) => ({ text, box: { x: 60 * i, y: 80, width: 50, height: 10 } })),
      }),
    ]),
  ),
};

test("a passage is marked in the text and on the picture of its page", async () => {
  startFakeServer(answers);
  openApp(`/documents/${id}?tab=text&start=${passage.start}&end=${passage.end}&q=rye`);
  const image = await screen.findByRole("img", { name: "Page 2 of 2" });
  const marked = Array.from(document.querySelectorAll("mark"), ({ textContent }) => textContent);
  expect(marked).toEqual(["It grinds ", "rye", "."]);
  // One line for the passage, and the word that was searched for.
  const boxes = () => Array.from(image.parentElement?.querySelectorAll<HTMLElement>("[aria-hidden] > span") ?? []);
  await waitFor(() => expect(boxes()).toHaveLength(2));
  expect(boxes().map(({ style: { left, width } }) => [left, width])).toEqual([
    ["0%", "28.5%"],
    ["19.833%", "8.667%"],
  ]);
});

test("pages are turned by button, number and arrow key", async () => {
  startFakeServer(answers);
  const app = openApp(`/documents/${id}`);
  await screen.findByRole("img", { name: "Page 1 of 2" });
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  await screen.findByRole("img", { name: "Page 2 of 2" });
  expect(app.search()).toMatchObject({ page: 2 });
  await userEvent.keyboard("{ArrowLeft}");
  await screen.findByRole("img", { name: "Page 1 of 2" });
  const number = screen.getByRole("textbox", { name: "Page, of 2" });
  await userEvent.clear(number);
  await userEvent.type(number, "7{Enter}");
  await screen.findByRole("img", { name: "Page 2 of 2" });
});

test("a failed document says what went wrong, and has the one button that helps", async () => {
  const failed = { status: "Failed", stage: "failed", generation: 0 } as const;
  startFakeServer({
    [`GET /api/documents/${id}`]: () =>
      makeDocument({ ...failed, errorCode: "ENCRYPTED_PDF", errorMessage: "The PDF opens only with its password." }),
  });
  openApp(`/documents/${id}`);
  expect(await screen.findByText("The PDF opens only with its password.")).toBeDefined();
  expect(screen.getByText("ENCRYPTED_PDF")).toBeDefined();
  expect(screen.getByRole("button", { name: "Upload another file" })).toBeDefined();
  closeApp();

  const server = startFakeServer({
    [`GET /api/documents/${id}`]: () =>
      makeDocument({ ...failed, errorCode: "TIMEOUT", errorMessage: "It took too long." }),
    [`POST /api/documents/${id}/retry`]: () => makeDocument({ status: "Processing" }),
  });
  openApp(`/documents/${id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(server.asked.some(({ path }) => path.endsWith("/retry"))).toBe(true));
});

test("while it is read, its stages are shown with how long they took", async () => {
  const stage = { startedAt: "2026-03-01T10:00:00.000Z", finishedAt: null };
  startFakeServer({
    [`GET /api/documents/${id}`]: () => makeUnreadDocument({ stage: "chunking" }),
    [`GET /api/jobs/${jobId}`]: () => ({
      id: jobId,
      status: "running",
      stage: "chunk",
      waiting: null,
      stages: [
        { ...stage, name: "fetch", status: "completed", durationMs: 0 },
        { ...stage, name: "extract", status: "completed", durationMs: 1_800 },
        { ...stage, name: "chunk", status: "running", durationMs: null },
      ],
    }),
  });
  openApp(`/documents/${id}`);
  const card = await screen.findByRole("region", { name: "Being read" });
  expect(await within(card).findByText("1.8 s")).toBeDefined();
  expect(within(card).getByText("4/10 (40 %)")).toBeDefined();
  // It was uploaded: there was nothing to fetch.
  expect(within(card).queryByText("Fetch the file")).toBeNull();
});

test("it is read again with the choice of text recognition", async () => {
  const server = startFakeServer({
    ...answers,
    [`POST /api/documents/${id}/reprocess`]: () => makeDocument({ status: "Processing" }),
  });
  openApp(`/documents/${id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Read again" }));
  await userEvent.click(await screen.findByRole("radio", { name: "On every page" }));
  await userEvent.click(screen.getByRole("button", { name: "Read it again" }));
  await waitFor(() =>
    expect(server.asked.find(({ path }) => path.endsWith("/reprocess"))?.body).toEqual({ options: { ocr: "always" } }),
  );
});

test("a judgement of a connection shows at once, and is taken back if the server refuses it", async () => {
  const connection = makeConnection({ own: id, other: "other" });
  let answer: (response: Response) => void = () => undefined;
  const server = startFakeServer({
    ...answers,
    [`GET /api/documents/${id}/connections`]: () => ({ items: [connection], nextCursor: null }),
    [`PATCH /api/connections/${connection.id}`]: () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  });
  openApp(`/documents/${id}?tab=connections`);
  await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
  expect(await screen.findByText("accepted")).toBeDefined();
  await waitFor(() => expect(server.asked.at(-1)?.body).toEqual({ user_validated: true }));
  answer(refusal({ status: 404, error: "NOT_FOUND", message: "There is no such connection." }));
  await waitFor(() => expect(screen.queryByText("accepted")).toBeNull());
  expect(await screen.findByText("There is no such connection.")).toBeDefined();

  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(await screen.findByText("dismissed")).toBeDefined();
  answer(Response.json({ ...connection, user_validated: false }));
  expect(await screen.findByRole("button", { name: "Take it back" })).toBeDefined();
});

test("a field and its box light each other up", async () => {
  const box = { x: 60, y: 80, width: 300, height: 8 };
  const field = {
    key: "Miller",
    value: "A. Rye",
    kind: "text",
    normalized: null,
    confidence: 0.9,
    page: 1,
    box,
    source: "label",
  };
  startFakeServer({
    ...answers,
    [`GET /api/documents/${id}/fields`]: () => ({
      items: [field, { ...field, key: "Ticked", kind: "checkbox", value: "selected" }],
      nextCursor: null,
    }),
    [`GET /api/documents/${id}/tables`]: () => ({ items: [], nextCursor: null }),
  });
  openApp(`/documents/${id}?tab=extracted`);
  const row = (await screen.findByRole("row", { name: /Miller/ })) as HTMLElement;
  await waitFor(() => expect(document.querySelector('[title="Miller: A. Rye"]')).not.toBeNull());
  const mark = document.querySelector<HTMLElement>('[title="Miller: A. Rye"]') as HTMLElement;
  expect({ left: mark.style.left, top: mark.style.top }).toEqual({ left: "9.667%", top: "9.75%" });

  await userEvent.hover(row);
  expect(mark.dataset.pointed).toBe("true");
  await userEvent.unhover(row);
  expect(mark.dataset.pointed).toBe("false");
  await userEvent.hover(mark);
  expect(row.dataset.pointed).toBe("true");
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Ticked" }).checked).toBe(true);
});

test("an address of no document says so", async () => {
  startFakeServer();
  openApp(`/documents/${id}`);
  expect(await screen.findByRole("heading", { name: "There is no such document" })).toBeDefined();
  closeApp();

  startFakeServer({
    "GET /api/documents/mill": () => refusal({ status: 400, error: "INVALID_REQUEST", message: "That is no id." }),
  });
  openApp("/documents/mill");
  expect(await screen.findByRole("heading", { name: "There is no such document" })).toBeDefined();
});
