// @vitest-environment happy-dom
/** A question is in the address, and each answer leads to its passage. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { startFakeServer } from "../../testing/fake-server.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

afterEach(closeApp);

const hit = {
  chunkId: "c1",
  document: { id: "d1", filename: "mill.pdf", title: "The Mill" },
  snippet: "It <mark>grinds</mark> &lt;rye&gt;.",
  page: 2,
  pageTo: 2,
  headingPath: ["Work"],
  start: 10,
  end: 40,
  score: 0.5,
  matched: ["text", "meaning"],
};

test("typing asks, and a hit leads to its passage with the words that were asked for", async () => {
  startFakeServer({
    "GET /api/documents": () => ({ items: [], nextCursor: null }),
    "GET /api/search": () => ({ items: [hit], nextCursor: null, notice: "Found by words alone." }),
  });
  const app = openApp("/search");
  const field = await screen.findByRole("textbox", { name: "Search in all documents" });
  expect(document.activeElement).toBe(field);
  await userEvent.type(field, "grind rye{Enter}");
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: /The Mill/ });
  expect(app.search()).toMatchObject({ q: "grind rye" });
  const { pathname, searchParams } = new URL(link.href);
  expect(pathname).toBe("/documents/d1");
  expect(Object.fromEntries(searchParams)).toEqual({ tab: "text", page: "2", start: "10", end: "40", q: "grind rye" });
  expect(link.querySelector("mark")?.textContent).toBe("grinds");
  expect(link.textContent).toContain("It grinds <rye>.");
  expect(link.textContent).toContain("by words and meaning");
  expect(screen.getByRole("status").textContent).toContain("Found by words alone.");
});

test("more comes on a button, and another mode asks anew", async () => {
  const server = startFakeServer({
    "GET /api/search": ({ query: { cursor } }) =>
      cursor === undefined
        ? { items: [hit], nextCursor: "n" }
        : { items: [{ ...hit, chunkId: "c2" }], nextCursor: null },
  });
  const app = openApp("/search?q=rye");
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await waitFor(() => expect(screen.getAllByRole("link", { name: /The Mill/ })).toHaveLength(2));
  await userEvent.click(screen.getByRole("radio", { name: "Meaning" }));
  await waitFor(() => expect(server.asked.at(-1)?.query).toMatchObject({ q: "rye", mode: "meaning" }));
  expect(app.search()).toMatchObject({ q: "rye", mode: "meaning" });
});

test("where nothing is found it says what to try", async () => {
  startFakeServer({ "GET /api/search": () => ({ items: [], nextCursor: null }) });
  openApp("/search?q=rye&mode=text");
  expect(await screen.findByRole("heading", { name: "Nothing was found" })).toBeDefined();
  expect(screen.getByRole("button", { name: "Search words and meaning" })).toBeDefined();
});
