/** Enters into the audit log what people do that others may have to account for: removing, stopping, and editing books. */
import type { MiddlewareHandler } from "hono";
import type { Access } from "../../access/access.ts";
import type { Identity } from "../../access/identity.ts";
import type { Guard } from "./guard.ts";
import { harmlessMethods } from "./needed-scope.ts";

/** By what a path is about: the first that fits names the action, what it captures is the target. */
const subjects: readonly [path: RegExp, subject: string][] = [
  [/^\/api\/documents\/([^/]+)(?:\/(cancel|retry|reprocess))?$/, "document"],
  [/^\/api\/batch\/([^/]+)(?:\/jobs\/[^/]+)?\/(cancel|retry)$/, "batch"],
  [/^\/api\/jobs\/([^/]+)\/(cancel|retry)$/, "job"],
  [/^\/admin\/books\/([^/]+)(?:\/(.+))?$/, "book"],
  [/^\/admin\/books$/, "book"],
];

const verbs: Readonly<Record<string, string>> = { DELETE: "delete", PUT: "replace", PATCH: "change", POST: "create" };

export function auditRequests(access: Access, guard: Guard): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { method, path } = c.req;
    if (harmlessMethods.has(method) || c.res.status >= 400) return;
    for (const [pattern, subject] of subjects) {
      const [match, target, rest] = pattern.exec(path) ?? [];
      if (match === undefined) continue;
      const who: Identity | undefined = c.get("identity");
      const action = `${subject}.${nameAction(method, rest)}`;
      await access.record({ action, target, who, address: guard.addressOf(c), details: { path } });
      return;
    }
  };
}

/** `cancel`; `pages.approve-all`; of what has an id or a number in its path, what is done to it: `pages.delete`. */
function nameAction(method: string, rest: string | undefined): string {
  const verb = verbs[method] ?? method.toLowerCase();
  if (rest === undefined) return verb;
  const words = rest.split("/").filter((part) => /^[a-z][a-z-]*$/.test(part));
  return method === "POST" ? words.join(".") : [...words, verb].join(".");
}
