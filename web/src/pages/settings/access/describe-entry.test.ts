import { expect, it } from "vitest";
import type { AuditEntry } from "../../../../../src/contract/access.ts";
import { describeEntry } from "./describe-entry.ts";

const entry: AuditEntry = {
  id: 1,
  at: "2031-06-14T06:00:00.000Z",
  actor: "desk",
  address: "192.0.2.7",
  action: "key.create",
  target: "an id",
  details: { name: "laptop", scope: "read", expiresAt: null },
};

it("names what it was done to rather than its id", () => {
  expect(describeEntry(entry)).toEqual({
    who: "desk",
    what: "made the key laptop",
    more: "key.create · from 192.0.2.7 · scope: read",
  });
});

it("tells who it was where there was no key", () => {
  const atMachine = { ...entry, actor: null, address: null, details: { by: "command line" } };
  expect(describeEntry(atMachine)).toEqual({
    who: "Somebody at the command line",
    what: "made the key an id",
    more: "key.create",
  });
  const refused = { ...entry, actor: null, action: "session.refused", target: null, details: {} };
  expect(describeEntry(refused).who).toBe("Somebody without a key");
  expect(describeEntry(refused).what).toBe("was refused: the key was wrong");
});

it("tells what it has no words for by its name", () => {
  const other = { ...entry, action: "book.pages.approve-all", details: { path: "/admin/books/x/pages", pages: [1] } };
  expect(describeEntry(other)).toEqual({
    who: "desk",
    what: "did “book pages approve all” to an id",
    more: "book.pages.approve-all · from 192.0.2.7 · pages: [1]",
  });
});
