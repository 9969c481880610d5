/** Signing in never leads away from this server. */
import { expect, it } from "vitest";
import { safePath } from "./safe-path.ts";

it.each(["/", "/jobs?state=failed&kind=document", "/documents/x?q=a%20b#part"])("leads back to %s", (path) => {
  expect(safePath(path)).toBe(path);
});

it.each([
  undefined,
  "",
  "jobs",
  "https://elsewhere.test/",
  "//elsewhere.test/",
  "/\\elsewhere.test/",
  "\\\\elsewhere.test",
  "/\t/elsewhere.test",
  "/.//elsewhere.test",
  "/a/..//elsewhere.test",
  "javascript:alert(1)",
  "http://",
  "//",
  "/sign-in",
  "/sign-in?back=/jobs",
])("leads home instead of to %j", (path) => {
  expect(safePath(path)).toBe("/");
});
