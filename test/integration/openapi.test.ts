/** `/openapi.json` describes every route there is and none that is not, in valid OpenAPI 3.1. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listOperations, type OpenApiDocument } from "../support/checked-fetch.ts";
import { openWholeServer, type WholeServer } from "../support/whole-server.ts";

let server: WholeServer;
let document: OpenApiDocument;
beforeAll(async () => {
  server = await openWholeServer();
  document = await (await fetch(`${server.url}/openapi.json`)).json();
});
afterAll(() => server.close());

const described = /^\/(api\/|admin\/|documents$|healthz$|readyz$|metrics$|openapi\.json$|docs$)/;

it("every route is described, and nothing else", () => {
  const routes = server.app.routes
    // Middleware, and who answers a wrong method, stand under ALL.
    .filter(({ path, method }) => method !== "ALL" && described.test(path))
    .map(({ path, method }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const operations = listOperations(document).map(({ path, method }) => `${method} ${path}`);
  expect(operations.sort()).toEqual([...new Set(routes)].sort());
});

describe("an operation", () => {
  it("has an id of its own, a known tag, a summary, and answers that say what they are", () => {
    const ids = listOperations(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }: { name: string }) => name);
    for (const { operation } of listOperations(document)) {
      const { operationId, summary, tags: own, responses } = operation;
      expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$|^sign(In|Out)$/);
      expect([operationId, summary?.length > 3, tags.includes(own[0]), own.length]).toEqual([
        operationId,
        true,
        true,
        1,
      ]);
      expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
      for (const [status, { description }] of Object.entries<{ description: string }>(responses)) {
        expect([operationId, status, description?.length > 1]).toEqual([operationId, status, true]);
      }
    }
  });

  it("describes each parameter once, and those of its path are those in its path", () => {
    for (const { path, operation } of listOperations(document)) {
      const parameters: { name: string; in: string; required: boolean; description?: string; schema: object }[] =
        operation.parameters ?? [];
      const keys = parameters.map(({ name, in: place }) => `${place} ${name}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { name, in: place, required, description, schema } of parameters) {
        const facts = { operation: operation.operationId, name, described: description !== undefined, schema };
        expect({ ...facts, required: required || place !== "path" }).toMatchObject({ described: true, required: true });
      }
      const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
      expect(inPath.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
    }
  });

  it("says who may ask for it, and what it is refused with", () => {
    const statuses = (path: string, method = "get") => Object.keys(document.paths[path][method].responses);
    expect(document.paths["/healthz"].get.security).toEqual([]);
    expect(document.paths["/api/jobs"].get.security).toEqual([{ apiKey: ["read"] }, { session: ["read"] }, {}]);
    expect(document.paths["/api/keys"].get.security[0]).toEqual({ apiKey: ["admin"] });
    expect(statuses("/api/jobs")).toEqual(expect.arrayContaining(["200", "400", "401", "421", "429", "500", "503"]));
    expect(statuses("/api/jobs", "post")).toEqual(expect.arrayContaining(["201", "403", "413", "415", "422"]));
    expect(statuses("/healthz")).not.toContain("401");
    const schemaOf = (path: string) => document.paths[path].get.responses[404].content["application/json"].schema;
    expect(schemaOf("/api/jobs/{id}")).toEqual({ $ref: "#/components/schemas/ErrorAnswer" });
    expect(schemaOf("/api/batch/{id}")).toEqual({ $ref: "#/components/schemas/BatchError" });
    expect(schemaOf("/admin/books/{id}")).toEqual({ $ref: "#/components/schemas/BookError" });
  });

  it("takes files in forms, and tells events with their types", () => {
    const form = document.paths["/api/documents"].post.requestBody.content["multipart/form-data"].schema;
    expect(form.properties.file).toMatchObject({ type: "array", items: { type: "string", format: "binary" } });
    const stream = document.paths["/api/jobs/{id}/stream"].get.responses[200].content["text/event-stream"];
    expect(stream.schema.anyOf).toContainEqual({ $ref: "#/components/schemas/JobEvent" });
    expect(document.components.schemas.JobEvent.properties.type.description).toContain("stage_completed");
  });
});

describe("the document", () => {
  it("is OpenAPI 3.1 with a server, security schemes and no reference that leads nowhere", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Docmill" }, servers: [{ url: "/" }] });
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual(["apiKey", "session"]);
    const known = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`));
    const used = new Set(findAll(document, ({ $ref }) => $ref as string | undefined));
    expect([...used].filter((ref) => !known.has(ref))).toEqual([]);
    expect([...known].filter((ref) => !used.has(ref))).toEqual([]);
  });

  it("has schemas that JSON Schema 2020-12 knows, and objects that have what they require", () => {
    const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
    const problems = findAll({ ...document, components: document.components.schemas }, (node) => {
      if ("nullable" in node) return "nullable is of OpenAPI 3.0";
      if (typeof node.exclusiveMinimum === "boolean") return "exclusiveMinimum is a number";
      if (!isSchema(node)) return undefined;
      if ("id" in node && typeof node.id === "string") return `id ${node.id}`;
      const given = [node.type ?? []].flat() as string[];
      if (given.some((type) => !types.has(type))) return `type ${given.join()}`;
      if (node.type === "array" && node.items === undefined) return "an array of what?";
      const missing = ((node.required ?? []) as string[]).filter((name) => !Object.hasOwn(node.properties ?? {}, name));
      return missing.length > 0 ? `required, but not there: ${missing.join()}` : undefined;
    });
    expect(problems).toEqual([]);
  });
});

type Node = Record<string, unknown>;

function isSchema(node: Node): boolean {
  return Array.isArray(node.required) || typeof node.type === "string" || Array.isArray(node.type);
}

/** What `look` finds in any part of the document. */
function findAll<Found>(node: unknown, look: (node: Node) => Found | undefined): Found[] {
  if (typeof node !== "object" || node === null) return [];
  const found = Array.isArray(node) ? undefined : look(node as Node);
  const below = Object.entries(node).flatMap(([key, value]) => (key.startsWith("example") ? [] : findAll(value, look)));
  return found === undefined ? below : [found, ...below];
}
