/** What is asked for becomes a request: every field goes where the operation has it, in path, query, headers or body. */
import type { z } from "zod";
import type { Answer, Operation } from "../contract/operation.ts";
import { DocmillApiError } from "./api-error.ts";

export interface BuiltRequest {
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

type Fields = Readonly<Record<string, unknown>>;

export function buildRequest(operation: Operation, input: Fields): BuiltRequest {
  const { params, query, json, jsonOptional, form, answers } = operation;
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const take = (schema: z.ZodObject | undefined): [string, unknown][] =>
    Object.keys(schema?.shape ?? {}).flatMap((name) => {
      if (!rest.has(name)) return [];
      const value = rest.get(name);
      rest.delete(name);
      return [[name, value]];
    });

  const inPath = new Map(take(params));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(name, inPath.get(name)));
  const search = new URLSearchParams(Object.fromEntries(take(query).map(([name, value]) => [name, String(value)])));
  const headers: Record<string, string> = { accept: accepted(answers) };
  const built = { path: `${search}` !== "" ? `${path}?${search}` : path, headers };
  if (form) return { ...built, body: fillForm(rest) };
  if (!json || (jsonOptional && rest.size === 0)) return built;
  headers["content-type"] = "application/json";
  return { ...built, body: JSON.stringify(Object.fromEntries(rest)) };
}

function accepted(answers: Readonly<Record<number, Answer>>): string {
  const kinds = new Set(Object.values(answers).map(({ kind }) => kind));
  if (kinds.has("events") || kinds.has("news")) return "text/event-stream";
  return kinds.has("json") ? "application/json" : "*/*";
}

/** A name that a path would take for the folder above is none of an id. */
function toSegment(name: string, value: unknown): string {
  const text = value === undefined ? "" : String(value);
  if (!["", ".", ".."].includes(text)) return encodeURIComponent(text);
  const message = `${name} is ${JSON.stringify(text)}, which cannot be part of an address.`;
  throw new DocmillApiError({ status: 0, code: "INVALID_PARAMETER", message });
}

/** Files as they are, text as it is, everything else as JSON. */
function fillForm(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value);
    else if (Array.isArray(value) && value.every((one) => one instanceof Blob)) {
      for (const file of value) form.append(name, file);
    } else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}
