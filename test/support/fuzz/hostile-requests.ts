/** Requests to the operations of a server, as bytes: their paths, queries, headers, bodies and framing right or wrong by chance. */
import { hostileForm } from "./hostile-forms.ts";
import { frame } from "./hostile-framing.ts";
import { writeHeaders } from "./hostile-headers.ts";
import { fittingValue, hostileJson, type KnownValues } from "./hostile-json.ts";
import { hostileCursor, hostileText } from "./hostile-values.ts";
import type { Random } from "./random.ts";
import type { Operation } from "./read-operations.ts";
import type { RawSending } from "./send-raw.ts";

/** What there is on the server that requests may name. */
export interface KnownThings {
  /** Ids by what the parameter of a path stands for: `documents`, `books`, `job_id`. */
  ids: Readonly<Record<string, readonly string[]>>;
  cursors: readonly string[];
  /** Files that uploads may carry. */
  files: readonly Buffer[];
  values: KnownValues;
}

export interface HostileRequest extends RawSending {
  path: string;
  /** The operation it goes to, where path and method are that operation's beyond doubt. */
  operation: Operation | undefined;
  /** It is whole and well framed: closing the connection is no answer to it. */
  mustBeAnswered: boolean;
}

const otherMethods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "get",
  "QUERY",
  "M-SEARCH",
  "PURGE",
];

/** `head` are the lines that every request begins with, the Host first. */
export function hostileRequest(
  random: Random,
  operation: Operation,
  known: KnownThings,
  head: readonly string[],
): HostileRequest {
  const method = random.chance(0.9) ? operation.method : random.pick(otherMethods);
  const plainPath = fillPath(random, operation, known);
  const path = random.chance(0.9) ? plainPath : bendPath(random, plainPath, String(head[0]).slice("Host: ".length));
  const target = path + writeQuery(random, operation, known);
  const headers = writeHeaders(random, operation, head);
  const regular = method === operation.method && path === plainPath && /^[\w/.-]*$/.test(path);
  const framed = frame(random, headers, makeBody(random, operation, known, headers));
  const text = `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  return {
    method,
    path: target,
    operation: regular ? operation : undefined,
    bytes: Buffer.concat([Buffer.from(text, "latin1"), framed.body]),
    halfClose: framed.halfClose,
    mustBeAnswered: framed.whole,
  };
}

function fillPath(random: Random, { path, method }: Operation, known: KnownThings): string {
  const [, room, thing] = path.split("/");
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const right = known.ids[name === "id" ? `${thing ?? room}` : name] ?? [];
    const kind = random.next();
    // What is deleted cannot be asked for any more.
    if (right.length > 0 && kind < (method === "DELETE" ? 0.15 : 0.75)) return random.pick(right);
    if (kind < 0.85) return random.pick(Object.values(known.ids).flat());
    return encodePart(random, hostileText(random));
  });
}

function encodePart(random: Random, text: string): string {
  const encoded = encodeURIComponent(text.slice(0, 2_000).toWellFormed()).replaceAll("%25", "%");
  return random.chance(0.2) ? encoded.replaceAll("%", "%25") : encoded;
}

function bendPath(random: Random, path: string, host: string): string {
  const place = random.between(0, path.length);
  const insert = (text: string) => path.slice(0, place) + text + path.slice(place);
  const ways: (() => string)[] = [
    () => `/${path}`,
    () => `${path}/`,
    () => path.replaceAll("/", "//"),
    () => path.toUpperCase(),
    () => insert("%00"),
    () => insert("/%2e%2e/"),
    () => insert("/../"),
    () => insert("/..%2f"),
    () => insert("%252e%252e%252f"),
    () => insert("%ff%fe"),
    () => insert("%c0%ae"),
    () => insert("%"),
    () => insert("%u0041"),
    () => insert(";x=1"),
    () => insert("\\"),
    () => insert("#fragment"),
    () => insert("\xff\xfe"),
    () => `${path}/${"a".repeat(7_000)}`,
    () => `${path}/${"a/".repeat(12_000)}`,
    () => `http://${host}${path}`,
    () => `http://elsewhere.invalid${path}`,
    () => `http://user:word@${host}:99999${path}`,
    () => `//elsewhere.invalid${path}`,
    () => "*",
    () => path.slice(1),
    () => "/",
    () =>
      path.replaceAll(/[a-z]/g, (letter) => (random.chance(0.3) ? `%${letter.charCodeAt(0).toString(16)}` : letter)),
  ];
  return random.pick(ways)();
}

function writeQuery(random: Random, { parameters }: Operation, known: KnownThings): string {
  const parts: string[] = [];
  for (const { name, in: place, schema } of parameters) {
    if (place !== "query" || random.chance(0.4)) continue;
    const value =
      name === "cursor"
        ? hostileCursor(random, known.cursors)
        : random.chance(0.4)
          ? String(fittingValue(random, schema, name, known.values))
          : hostileText(random).slice(0, 2_000);
    parts.push(`${name}=${encodePart(random, value)}`);
    if (random.chance(0.05)) parts.push(`${name}=${encodePart(random, hostileText(random))}`, `${name}[]=1`);
  }
  if (random.chance(0.05)) parts.push(encodePart(random, hostileText(random)));
  return parts.length > 0 ? `?${parts.join("&").slice(0, 10_000)}` : "";
}

const otherTypes = [
  "text/plain",
  "application/json; charset=utf-16",
  "application/json;charset=\xff",
  "application/x-www-form-urlencoded",
  "application/JSON",
  "application/problem+json",
  ";;",
  "",
  "*/*",
  "multipart/form-data",
];

/** Adds the header with its type. */
function makeBody(random: Random, { body, method }: Operation, known: KnownThings, headers: string[]): Buffer {
  if (!body) {
    if (method === "GET" ? random.chance(0.97) : random.chance(0.7)) return Buffer.alloc(0);
    headers.push("Content-Type: application/json");
    return hostileJson(random, { type: "object" }, known.values);
  }
  if (random.chance(0.05)) return Buffer.alloc(0);
  const isForm = body.type === "multipart/form-data";
  const form = isForm ? hostileForm(random, body.schema, known.files) : undefined;
  const made = form?.body ?? hostileJson(random, body.schema, known.values);
  const type = form?.contentType ?? "application/json";
  if (random.chance(0.97)) headers.push(`Content-Type: ${random.chance(0.9) ? type : random.pick(otherTypes)}`);
  return made;
}
