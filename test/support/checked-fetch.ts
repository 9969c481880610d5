/** A fetch that holds every answer against the server's own description: that it names the status, and describes the body. */
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: whatever the server describes
export type OpenApiDocument = any;

export interface CheckedFetch {
  fetch: typeof fetch;
  /** What was answered otherwise than described. */
  readonly problems: string[];
  /** Each operation that was answered, with the statuses it was answered with. */
  readonly seen: Map<string, Set<number>>;
}

export function checkFetch(document: OpenApiDocument): CheckedFetch {
  const operations = listOperations(document);
  const schemas = new Map<string, z.ZodType>();
  const problems: string[] = [];
  const seen: CheckedFetch["seen"] = new Map();

  const check = async (method: string, url: string, response: Response): Promise<void> => {
    const { pathname } = new URL(url);
    const found = operations.find((one) => one.method === method && one.pattern.test(pathname));
    if (!found) return void problems.push(`${method} ${pathname} is not described`);
    const { operationId, responses } = found.operation;
    const name = `${operationId} ${response.status}`;
    seen.set(operationId, (seen.get(operationId) ?? new Set()).add(response.status));
    const described = responses[response.status];
    if (!described) return void problems.push(`${name} is not described`);
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    if (!described.content || type === "") {
      if (described.content || type !== "") problems.push(`${name} has type ${type}, not as described`);
      return;
    }
    const { schema } = described.content[type] ?? {};
    // A file comes with its own type.
    if (!schema && Object.keys(described.content).every((one) => /^(application\/octet-stream|image)/.test(one)))
      return;
    if (!schema) return void problems.push(`${name} is ${type}, which is not described`);
    if (type !== "application/json") return;
    if (!schemas.has(name)) schemas.set(name, toZod(schema, document));
    const { error } = schemas.get(name)?.safeParse(await response.json()) ?? {};
    if (error) problems.push(`${name}: ${z.prettifyError(error)}`);
  };

  return {
    problems,
    seen,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      await check((init?.method ?? "GET").toLowerCase(), String(input), response.clone());
      return response;
    },
  };
}

/** Those with fewer parameters first: `latest` is no id. */
export function listOperations(document: OpenApiDocument) {
  return Object.entries<Record<string, OpenApiDocument>>(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const pattern = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
        return { path, method, operation, pattern: new RegExp(`^${pattern}$`) };
      }),
    )
    .sort((one, other) => one.path.split("{").length - other.path.split("{").length);
}

/** Closed: what is not described may not be there. */
function toZod(schema: object, { components }: OpenApiDocument): z.ZodType {
  return z.fromJSONSchema(close({ ...schema, $defs: components.schemas }) as Parameters<typeof z.fromJSONSchema>[0]);
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) =>
    key === "$ref" ? [key, String(value).replace("#/components/schemas/", "#/$defs/")] : [key, close(value)],
  );
  const closed = Object.fromEntries(entries);
  const isOpen = "properties" in closed && closed.type === "object" && closed.additionalProperties === undefined;
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}
