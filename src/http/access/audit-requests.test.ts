import { Hono } from "hono";
import { expect, test } from "vitest";
import type { Access } from "../../access/access.ts";
import type { AuditedAction } from "../../access/audit-log.ts";
import { auditRequests } from "./audit-requests.ts";
import type { Guard } from "./guard.ts";

/** What a request to a server that answers everything with `status` leaves in the log. */
async function trace(method: string, path: string, status = 200): Promise<AuditedAction[]> {
  const recorded: AuditedAction[] = [];
  const access = { record: async (action: AuditedAction) => void recorded.push(action) } as Pick<Access, "record">;
  const guard = { addressOf: () => "203.0.113.9" } as Pick<Guard, "addressOf">;
  const app = new Hono<{ Variables: { identity: object } }>();
  app.use(async (c, next) => {
    c.set("identity", { keyId: "key", name: "ops" });
    await next();
  });
  app.use(auditRequests(access as Access, guard as Guard));
  app.all("*", (c) => c.body(null, status as 200));
  await app.request(path, { method });
  return recorded;
}

test.each([
  ["DELETE", "/api/documents/7", "document.delete", "7"],
  ["POST", "/api/documents/7/cancel", "document.cancel", "7"],
  ["POST", "/api/documents/7/reprocess", "document.reprocess", "7"],
  ["POST", "/api/batch/8/cancel", "batch.cancel", "8"],
  ["POST", "/api/batch/8/jobs/9/retry", "batch.retry", "8"],
  ["POST", "/api/jobs/9/cancel", "job.cancel", "9"],
  ["POST", "/admin/books", "book.create", undefined],
  ["DELETE", "/admin/books/4", "book.delete", "4"],
  ["PUT", "/admin/books/4/pages/2/text", "book.pages.text.replace", "4"],
  ["POST", "/admin/books/4/pages/approve-all", "book.pages.approve-all", "4"],
])("%s %s is %s", async (method, path, action, target) => {
  const who = expect.objectContaining({ name: "ops" });
  expect(await trace(method, path)).toEqual([{ action, target, who, address: "203.0.113.9", details: { path } }]);
});

test.each([
  ["what is only looked at", "GET", "/api/documents/7", 200],
  ["what was refused", "DELETE", "/api/documents/7", 404],
  ["new work", "POST", "/api/documents", 200],
  ["a job's creation", "POST", "/api/jobs", 201],
])("%s leaves no trace", async (_, method, path, status) => {
  expect(await trace(method, path, status)).toEqual([]);
});
