import { expect, test } from "vitest";
import { makesWork, neededScope } from "./needed-scope.ts";

test.each([
  ["GET", "/", undefined],
  ["GET", "/documents/abc", undefined],
  ["GET", "/assets/index.js", undefined],
  ["GET", "/openapi.json", undefined],
  ["GET", "/healthz", undefined],
  ["GET", "/api/session", undefined],
  ["POST", "/api/session", undefined],
  ["DELETE", "/api/session", undefined],
  ["GET", "/api/results/k3y", undefined],
  ["POST", "/api/results/k3y", "write"],
  ["GET", "/api/results/k3y/more", "read"],
  ["GET", "/api/session/more", "read"],
  ["GET", "/api", "read"],
  ["GET", "/api/documents", "read"],
  ["HEAD", "/admin/books", "read"],
  ["OPTIONS", "/api/documents", "read"],
  ["GET", "/metrics", "read"],
  ["POST", "/api/documents", "write"],
  ["POST", "/documents", "write"],
  ["PATCH", "/anything", "write"],
  ["DELETE", "/admin/books/1", "write"],
  ["GET", "/api/keys", "admin"],
  ["DELETE", "/api/keys/1", "admin"],
  ["GET", "/api/audit", "admin"],
])("%s %s needs %s", (method, path, scope) => {
  expect(neededScope(method, path)).toBe(scope);
});

test.each([
  ["POST", "/api/documents", true],
  ["DELETE", "/admin/books/1", true],
  ["GET", "/api/search", true],
  ["GET", "/api/documents", false],
])("%s %s makes work: %s", (method, path, does) => {
  expect(makesWork(method, path)).toBe(does);
});
