/** What the routes have in common: their app type, and who answers a wrong method. */
import type { HttpBindings } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Identity } from "../access/identity.ts";
import { DocmillError } from "../errors.ts";
import { invalidRequest } from "./errors.ts";

export type App = OpenAPIHono<{ Bindings: HttpBindings; Variables: { identity?: Identity; requestId?: string } }>;

export function createRouter(): App {
  return new OpenAPIHono({
    defaultHook(result) {
      if (!result.success) throw invalidRequest(result.target, result.error);
    },
  });
}

/** Answers whatever no route of this path took. Goes after all of them. */
export function refuseOtherMethods(app: App): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    // Pages of the web UI may have the same path as something that takes a POST.
    if (method === "ALL" || !/^\/(api|admin)\//.test(path)) continue;
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  for (const [path, known] of methods) {
    const allow = [...known, ...(known.has("GET") ? ["HEAD"] : [])];
    app.all(path, ({ req }) => {
      const message = `${req.method} is not for ${req.path}; it takes ${allow.join(", ")}.`;
      throw new DocmillError("METHOD_NOT_ALLOWED", message, { details: { allow } });
    });
  }
}
