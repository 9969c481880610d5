/** What the routes have in common: their app type, how they describe their answers, and who answers a wrong method. */
import type { HttpBindings } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { z } from "zod";
import { BatchError } from "../contract/batches.ts";
import { BookError } from "../contract/books.ts";
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

const reasons = {
  400: "The request cannot be read",
  403: "This may not be reached from here",
  404: "There is no such thing",
  409: "Not in this state",
  410: "There was such a thing, and it has been deleted",
  413: "The body is too large",
  415: "The body is of another type",
  416: "There are no such bytes",
  422: "What the request asks for is invalid",
  500: "Something went wrong inside the server",
  503: "Something the server needs cannot be reached",
} as const;
type Refusal = keyof typeof reasons;

/** The errors a route may answer with, besides those that any may. */
export const refusing = refusingWith(ErrorAnswer);
/** The same where every answer says whether it is a success. */
export const refusingBatch = refusingWith(BatchError);
/** The same where an error is a sentence. */
export const refusingBook = refusingWith(BookError);

function refusingWith<Schema extends z.ZodType>(schema: Schema) {
  type Answer = ReturnType<typeof jsonAnswer<Schema>>;
  return <Status extends Refusal>(...statuses: Status[]) => {
    const all = [...statuses, 500, 503] as const;
    const answers = all.map((status) => [status, jsonAnswer(schema, reasons[status])]);
    return Object.fromEntries(answers) as Record<Status | 500 | 503, Answer>;
  };
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
