/** What the routes have in common: their app type, how they describe their answers, and who answers a wrong method. */
import type { HttpBindings } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { z } from "zod";
import { ErrorAnswer } from "../contract/errors.ts";
import { DocmillError } from "../errors.ts";
import { invalidRequest } from "./errors.ts";

export type App = OpenAPIHono<{ Bindings: HttpBindings }>;

export function createRouter(): App {
  return new OpenAPIHono({
    defaultHook(result) {
      if (!result.success) throw invalidRequest(result.target, result.error);
    },
  });
}

export function jsonAnswer<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } };
}

const refusals = {
  400: jsonAnswer(ErrorAnswer, "The request cannot be read"),
  404: jsonAnswer(ErrorAnswer, "There is no such thing"),
  409: jsonAnswer(ErrorAnswer, "Not in this state"),
  410: jsonAnswer(ErrorAnswer, "There was such a thing, and it has been deleted"),
  413: jsonAnswer(ErrorAnswer, "The body is too large"),
  415: jsonAnswer(ErrorAnswer, "The body is of another type"),
  416: jsonAnswer(ErrorAnswer, "There are no such bytes"),
  422: jsonAnswer(ErrorAnswer, "What the request asks for is invalid"),
  500: jsonAnswer(ErrorAnswer, "Something went wrong inside the server"),
  503: jsonAnswer(ErrorAnswer, "Something the server needs cannot be reached"),
};

/** The errors a route may answer with, besides those that any may. */
export function refusing<Status extends keyof typeof refusals>(...statuses: Status[]) {
  const all = [...statuses, 500, 503] as const;
  return Object.fromEntries(all.map((status) => [status, refusals[status]])) as Pick<
    typeof refusals,
    Status | 500 | 503
  >;
}

/** Answers whatever no route of this path took. Goes after all of them. */
export function refuseOtherMethods(app: App): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    // Pages of the web UI may have the same path as something that takes a POST.
    if (method === "ALL" || !path.startsWith("/api/")) continue;
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
