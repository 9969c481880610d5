/** Bodies that should be JSON of a schema: some fit it, most are off in one way or another, some are no JSON at all. */
import { hostileText, hostileValue } from "./hostile-values.ts";
import type { Random } from "./random.ts";

/** As far as the API's description uses it. */
export interface JsonSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  default?: unknown;
}

/** Values of a name that the server knows: a kind of job, a url that answers. */
export type KnownValues = (name: string) => readonly string[];

/** A value that fits the schema, or nearly. */
export function fittingValue(random: Random, schema: JsonSchema, name: string, known: KnownValues): unknown {
  if (schema.anyOf) return fittingValue(random, random.pick(schema.anyOf), name, known);
  if (schema.enum) return random.pick(schema.enum);
  const type = typeof schema.type === "string" ? schema.type : random.pick(schema.type ?? ["object", "string"]);
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return random.pick([schema.minimum ?? 1, schema.maximum ?? 2, 1, 2]);
    case "array":
      return Array.from({ length: random.between(0, 3) }, () => fittingValue(random, schema.items ?? {}, name, known));
    case "object": {
      const required = schema.required ?? [];
      const chosen = Object.entries(schema.properties ?? {}).filter(
        ([property]) => required.includes(property) || random.chance(0.5),
      );
      return Object.fromEntries(
        chosen.map(([property, inner]) => [property, fittingValue(random, inner, property, known)]),
      );
    }
    default:
      return fittingText(random, schema, name, known);
  }
}

function fittingText(
  random: Random,
  { format, maxLength = 500 }: JsonSchema,
  name: string,
  known: KnownValues,
): string {
  const values = known(name);
  if (values.length > 0) return random.pick(values);
  if (format === "uri") return "http://127.0.0.1:1/a.pdf";
  if (format === "uuid") return "00000000-0000-4000-8000-000000000000";
  if (format === "date-time") return "2026-01-01T00:00:00Z";
  return random.pick(["words", "größer", "x".repeat(Math.min(maxLength, 70_000))]);
}

/** The body, as bytes. */
export function hostileJson(random: Random, schema: JsonSchema, known: KnownValues): Buffer {
  const fitting = fittingValue(random, schema, "", known);
  const kind = random.next();
  if (kind < 0.2) return Buffer.from(JSON.stringify(fitting));
  if (kind < 0.65) return Buffer.from(JSON.stringify(bend(random, fitting)));
  return breakText(random, JSON.stringify(fitting));
}

/** One thing about it is off: a field more, less, or of another type. */
function bend(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return hostileValue(random);
  const entries = Object.entries(value);
  const at = random.between(0, Math.max(0, entries.length - 1));
  switch (random.between(0, 4)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1));
    case 1:
      return Object.fromEntries([...entries, [hostileText(random), hostileValue(random)]]);
    case 2:
      return hostileValue(random);
    default: {
      const [name, inner] = entries[at] ?? [hostileText(random), null];
      const bent = random.chance(0.3) ? bend(random, inner) : hostileValue(random);
      return Object.fromEntries(entries.toSpliced(at, 1, [name, bent]));
    }
  }
}

const levels = 10_000;

function breakText(random: Random, text: string): Buffer {
  const first = /^\{"([^"]+)":/.exec(text)?.[1] ?? "kind";
  const broken: (() => string | Buffer)[] = [
    () => text.slice(0, random.between(0, text.length - 1)),
    () => `\uFEFF${text}`,
    () => `${text}${text}`,
    () => text.replace("{", `{"${first}":1,"${first}":{},`),
    () => text.replace("{", '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},'),
    () => `${"[".repeat(levels)}${"]".repeat(levels)}`,
    () => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
    () => text.replace("{", `{"input":${"[".repeat(levels)}${"]".repeat(levels)},`),
    () => "[".repeat(levels),
    () => text.replace("{", `{"${first}":1e999,`),
    () => text.replace("{", '{"\\ud800":"\\udfff","a\\u0000":"\\u0000",'),
    () => `${text.slice(0, -1)},"x":NaN}`,
    () => `${text.slice(0, -1)},"x":"${"x".repeat(1_100_000)}"}`,
    () => Buffer.from(text, "utf16le"),
    () =>
      Buffer.concat([
        Buffer.from('{"title":"'),
        Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]),
    () => "",
    () => "null",
    () => "\0",
    () => " ".repeat(50_000),
    () => `{${Array.from({ length: 5_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`,
  ];
  const made = random.pick(broken)();
  return typeof made === "string" ? Buffer.from(made) : made;
}
