/** What a server says it takes and answers: the operations of its `/openapi.json`. */
import type { JsonSchema } from "./hostile-json.ts";

export interface Operation {
  method: string;
  /** With its parameters in braces. */
  path: string;
  parameters: { name: string; in: "path" | "query" | "header" | "cookie"; schema: JsonSchema }[];
  body: { type: string; schema: JsonSchema } | undefined;
  /** What it may be answered with, as the description has it. */
  statuses: ReadonlySet<number>;
}

interface DescribedOperation {
  parameters?: { name: string; in: Operation["parameters"][number]["in"]; schema?: JsonSchema }[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, unknown>;
}

export async function readOperations(url: string): Promise<Operation[]> {
  const response = await fetch(`${url}/openapi.json`);
  const description = (await response.json()) as { paths: object };
  const paths = resolve(description.paths, description) as Record<string, Record<string, DescribedOperation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [type, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
      return {
        method: method.toUpperCase(),
        path,
        parameters: (described.parameters ?? []).map(({ schema = {}, ...parameter }) => ({ ...parameter, schema })),
        body: type === undefined ? undefined : { type, schema: content?.schema ?? {} },
        statuses: new Set(Object.keys(described.responses).map(Number)),
      };
    }),
  );
}

/** Puts what is referred to in the place of the reference; what contains itself is left out there. */
function resolve(part: unknown, description: object, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((inner) => resolve(inner, description, within));
  if (typeof part !== "object" || part === null) return part;
  const { $ref } = part as { $ref?: unknown };
  if (typeof $ref === "string") {
    if (within.includes($ref)) return {};
    const names = $ref.slice(2).split("/");
    const target = names.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], description);
    return resolve(target, description, [...within, $ref]);
  }
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, resolve(inner, description, within)]));
}
