// @vitest-environment happy-dom
/** The list is what its address says, and every way of narrowing it down ends up there. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { refusal, startFakeServer } from "../../testing/fake-server.ts";
import { makeDocument } from "../../testing/made-up/documents.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

afterEach(closeApp);

const list = (items: unknown[], nextCursor: string | null = null) => ({ items, nextCursor });
const named = (title: string) => makeDocument({ id: `id-${title}`, title });

test("the address is asked for as it stands", async () => {
  const server = startFakeServer({
    "GET /api/documents": () => list([named("Rye")]),
  });
  openApp("/documents?q=rye&status=Failed&format=pdf&sort=name");
  expect(await screen.findByRole("link", { name: "Rye" })).toBeDefined();
  expect(server.asked[0]?.query).toEqual({ q: "rye", status: "Failed", format: "pdf", sort: "name", limit: "25" });
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Search by name or title" }).value).toBe("rye");
});

test("what is typed goes into the address, and back to the first page", async () => {
  startFakeServer({
    "GET /api/documents": ({ query }) => list([named(query.q ?? "All")]),
  });
  const app = openApp('/documents?after=["c1"]');
  await screen.findByRole("link", { name: "All" });
  await userEvent.type(screen.getByRole("textbox", { name: "Search by name or title" }), "oats{Enter}");
  expect(await screen.findByRole("link", { name: "oats" })).toBeDefined();
  expect(app.search()).toMatchObject({ q: "oats" });
  expect(app.search().after).toBeUndefined();
});

test("pages are gone through by cursors, there and back", async () => {
  startFakeServer({
    "GET /api/documents": ({ query: { cursor } }) =>
      cursor === undefined ? list([named("First")], "c1") : list([named("Second")]),
  });
  const app = openApp("/documents");
  await screen.findByRole("link", { name: "First" });
  await userEvent.click(screen.getByRole("button", { name: "Next" }));
  await screen.findByRole("link", { name: "Second" });
  expect(app.search().after).toEqual(["c1"]);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next" }).disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Previous" }));
  await screen.findByRole("link", { name: "First" });
  expect(app.search().after).toBeUndefined();
});

test("a link to no page of the list offers the first one, with the same filters", async () => {
  const refuse = () =>
    refusal({ status: 400, error: "INVALID_CURSOR", message: "This cursor is not one of this list." });
  startFakeServer({
    "GET /api/documents": ({ query: { cursor } }) => (cursor === undefined ? list([named("First")]) : refuse()),
  });
  const app = openApp('/documents?q=rye&after=["cut"]');
  await userEvent.click(await screen.findByRole("button", { name: "Back to the first page" }));
  expect(await screen.findByRole("link", { name: "First" })).toBeDefined();
  expect(app.search()).toMatchObject({ q: "rye" });
});

test("without documents it says what to do, and without matches how to see all", async () => {
  startFakeServer({ "GET /api/documents": () => list([]) });
  openApp("/documents");
  expect(await screen.findByRole("heading", { name: "No documents yet" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Start with samples" })).toBeDefined();
  closeApp();

  startFakeServer({
    "GET /api/documents": ({ query }) => list(query.q ? [] : [named("All")]),
  });
  const app = openApp("/documents?q=nothing");
  await screen.findByRole("heading", { name: "No document matches" });
  await userEvent.click(screen.getByRole("button", { name: "Show all documents" }));
  await screen.findByRole("link", { name: "All" });
  expect(app.search().q).toBeUndefined();
});

test("a failed document says why and can be tried again", async () => {
  const failed = makeDocument({ id: "one", status: "Failed", stage: "failed", errorMessage: "The service was away." });
  const server = startFakeServer({
    "GET /api/documents": () => list([failed]),
    "POST /api/documents/one/retry": () => ({ ...failed, status: "Processing" }),
  });
  openApp("/documents");
  expect(await screen.findByText("The service was away.")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Try The Mill again" }));
  await waitFor(() => expect(server.asked.map(({ method }) => method)).toContain("POST"));
});

test("a document is deleted only after a second yes", async () => {
  const server = startFakeServer({
    "GET /api/documents": () => list([makeDocument({ id: "one" })]),
    "DELETE /api/documents/one": () => new Response(null, { status: 204 }),
  });
  openApp("/documents");
  await userEvent.click(await screen.findByRole("button", { name: "Delete The Mill" }));
  expect(server.asked.some(({ method }) => method === "DELETE")).toBe(false);
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(server.asked.some(({ method }) => method === "DELETE")).toBe(true));
});
