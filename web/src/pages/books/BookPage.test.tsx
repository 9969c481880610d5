// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { bookRefusal, startFakeServer } from "../../testing/fake-server.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

afterEach(closeApp);

test("an address of no book says so, and leads to those there are", async () => {
  startFakeServer({ "GET /admin/books/mill": () => bookRefusal(404, "Book not found") });
  openApp("/books/mill");
  expect(await screen.findByRole("heading", { level: 1, name: "There is no such book" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Show all books" }).getAttribute("href")).toBe("/books");
});
