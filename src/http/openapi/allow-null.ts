/**
 * The generator says of what is a named schema or null that it is both at once, which nothing can be. Here it becomes one
 * of the two.
 */
export function allowNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(allowNull);
  if (typeof node !== "object" || node === null) return node;
  const { allOf, ...rest } = node as { allOf?: unknown };
  const named = Array.isArray(allOf) && allOf.length === 2 && isNullable(allOf[1]) ? allOf[0] : undefined;
  if (named !== undefined) return { ...rest, anyOf: [named, { type: "null" }] };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, allowNull(value)]));
}

function isNullable(schema: unknown): boolean {
  const { type, ...rest } = schema as { type?: unknown };
  return Array.isArray(type) && type.includes("null") && Object.keys(rest).length === 0;
}
