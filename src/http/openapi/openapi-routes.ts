/** `/openapi.json`: the description of every route there is. Goes after all of them. */
import type { z } from "zod";
import { type Operation, operationTags } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { version } from "../../version.ts";
import { sessionCookie } from "../access/session-cookie.ts";
import { describeOnly } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { allowNull } from "./allow-null.ts";
import { findNamedSchemas } from "./find-named-schemas.ts";

const about: Record<(typeof operationTags)[number], string> = {
  Documents: "Bring documents in, and read what was made of them.",
  Search: "Find passages, and what connects them.",
  Batches: "A swimmer's schedule from many heat sheets.",
  Books: "Scanned books: pages, their text, and guidelines made of them. Errors are `{detail}`.",
  Jobs: "Everything slow is a job: look at it, follow it, cancel it, try it again.",
  System: "The server itself.",
  Access: "Keys, the session of a browser, and the log of what was done.",
};

const description = `Everything that the web UI and the command line do goes through this API.

**Keys.** A server that is bound to this machine alone asks for none. Any other takes a key as \`Authorization: Bearer …\`, or
the cookie of a browser that has signed in.

**Errors** have a code that programs can branch on and a message that says what to do next. An internal one has the id under
which the server's log has more.

**Streams** are server-sent events. Events are numbered without gaps: who comes back with \`Last-Event-ID\` gets exactly
those that came after it.

**Creating work** takes an \`Idempotency-Key\`: the same key answers with the same work, however often it is sent.`;

export function openApiRoutes(app: App): void {
  registerSchemas(app);
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "A key from `docmill keys create`.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description: "Of a browser that has signed in.",
  });
  describeOnly(app, "readApiDescription");
  let document: unknown;
  app.get("/openapi.json", (c) => {
    document ??= allowNull(app.getOpenAPI31Document(info as Parameters<App["getOpenAPI31Document"]>[0]));
    return c.json(document as object, 200, { "cache-control": "no-cache" });
  });
}

const info = {
  openapi: "3.1.0",
  info: { title: "Docmill", version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
  servers: [{ url: "/", description: "This server" }],
  tags: operationTags.map((name) => ({ name, description: about[name] })),
};

/** Before they are used: the generator would make one that it meets as nullable first nullable everywhere. */
function registerSchemas(app: App): void {
  const named = new Map<string, z.ZodType>();
  for (const { json, form, answers } of Object.values<Operation>(operations)) {
    const answered = Object.values(answers).flatMap((answer) => {
      if (answer.kind === "json") return [answer.schema];
      return answer.kind === "news" ? Object.values(answer.types) : [];
    });
    for (const schema of [json, form, ...answered]) if (schema) findNamedSchemas(schema, named);
  }
  // A copy: those that are older than the generator's extension of zod lack what it needs to take them in.
  for (const [name, schema] of named) app.openAPIRegistry.register(name, schema.meta({ id: name }));
}
