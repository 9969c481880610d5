/**
 * A zod schema as the JSON schema that models are held to. Strict servers want every property required and nothing else
 * allowed, so what is optional may be null instead; `dropNulls` turns such nulls back into what zod expects.
 */
import { z } from "zod";

export interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

export interface AnswerSchema {
  /** As zod sees it, and what `dropNulls` goes by. */
  plain: JsonSchema;
  /** What the server is sent. */
  sent: JsonSchema;
  /** Whether the server can be asked to enforce it. */
  strict: boolean;
}

/** What strict servers refuse to enforce; zod checks it afterwards. */
const notEnforced = new Set([
  "$schema",
  "default",
  "examples",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
]);
const notStrict = ["propertyNames", "patternProperties", "prefixItems", "allOf", "not"];

export function toAnswerSchema(schema: z.ZodType): AnswerSchema {
  const { $schema, ...plain } = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
  if (plain.type !== "object") throw new TypeError("A model's answer must be an object.");
  const strict = canBeStrict(plain);
  return { plain, sent: strict ? toStrict(plain) : plain, strict };
}

function canBeStrict(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(canBeStrict);
  if (!isObject(node)) return true;
  if (notStrict.some((keyword) => keyword in node) || isObject(node.additionalProperties)) return false;
  return Object.values(node).every(canBeStrict);
}

function toStrict(node: JsonSchema): JsonSchema {
  const strict: JsonSchema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (notEnforced.has(keyword)) continue;
    if (keyword === "items") strict.items = toStrict(value as JsonSchema);
    else if (keyword === "anyOf" || keyword === "oneOf") strict.anyOf = (value as JsonSchema[]).map(toStrict);
    else if (keyword === "$defs") strict.$defs = mapValues(value as Record<string, JsonSchema>, toStrict);
    else strict[keyword] = value;
  }
  if (node.type === "object") {
    const properties = node.properties ?? {};
    strict.properties = mapValues(properties, (property, name) =>
      node.required?.includes(name) ? toStrict(property) : orNull(toStrict(property)),
    );
    strict.required = Object.keys(properties);
    strict.additionalProperties = false;
  }
  return strict;
}

function orNull(node: JsonSchema): JsonSchema {
  if (allowsNull(node)) return node;
  const { description, ...rest } = node;
  return { ...(description !== undefined && { description }), anyOf: [rest, { type: "null" }] };
}

/** The answer without the nulls that stand for properties left out. */
export function dropNulls(answer: unknown, schema: JsonSchema, root = schema): unknown {
  const variants = variantsOf(schema, root);
  if (Array.isArray(answer)) {
    const items = { anyOf: variants.flatMap((variant) => (isObject(variant.items) ? [variant.items] : [])) };
    return answer.map((item) => dropNulls(item, items, root));
  }
  if (!isObject(answer)) return answer;
  const kept = Object.entries(answer).flatMap(([name, value]) => {
    const holders = variants.filter(({ properties = {} }) => Object.hasOwn(properties, name));
    const property = { anyOf: holders.flatMap((holder) => holder.properties?.[name] ?? []) };
    const leftOut =
      value === null &&
      holders.length > 0 &&
      !holders.some((holder) => holder.required?.includes(name)) &&
      !variantsOf(property, root).some(allowsNull);
    return leftOut ? [] : [[name, dropNulls(value, property, root)] as const];
  });
  return Object.fromEntries(kept);
}

/** What the value may be, with references and alternatives resolved. */
function variantsOf(node: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (typeof node.$ref === "string") {
    if (node.$ref === "#") return [root];
    const named = (root.$defs as Record<string, JsonSchema> | undefined)?.[node.$ref.slice("#/$defs/".length)];
    return named ? variantsOf(named, root) : [];
  }
  const inner = [node.anyOf, node.oneOf, node.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return inner.length > 0 ? inner.flatMap((variant: JsonSchema) => variantsOf(variant, root)) : [node];
}

function allowsNull(node: JsonSchema): boolean {
  if (node.type === "null" || (Array.isArray(node.type) && node.type.includes("null"))) return true;
  if (node.const === null || (Array.isArray(node.enum) && node.enum.includes(null))) return true;
  return Array.isArray(node.anyOf) && node.anyOf.some(allowsNull);
}

function mapValues(from: Record<string, JsonSchema>, change: (value: JsonSchema, name: string) => JsonSchema) {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value, name)]));
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
