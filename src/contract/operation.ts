/**
 * What an operation of the API is, as the server's routes, its description at `/openapi.json` and the client all have it:
 * where it is, what it takes, what it answers and what it may be refused with.
 */
import { z } from "zod";

/** In the order in which they are shown. */
export const operationTags = ["Documents", "Search", "Batches", "Books", "Jobs", "System", "Access"] as const;

/** Statuses with which a request may be refused because of what it asks for. What any may be refused with is not here. */
export const refusals = {
  400: "The request cannot be read",
  403: "This may not be reached from here",
  404: "There is no such thing",
  409: "Not in this state",
  410: "There was such a thing, and it has been deleted",
  413: "The body is too large",
  415: "The body is of another type",
  416: "There are no such bytes",
  422: "What the request asks for is invalid",
  507: "There is no room left in storage",
} as const;
type Refusal = keyof typeof refusals;

export interface JsonAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: "json";
  description: string;
  schema: Schema;
  /** Another form of the same, for those who accept that. */
  alternative?: string;
}

export interface TextAnswer<Media extends string = string> {
  kind: "text";
  description: string;
  mediaType: Media;
}

export interface FileAnswer<Media extends string = string> {
  kind: "file";
  description: string;
  mediaType: Media;
}

/** Numbered events: who comes back with the number of the last one gets exactly those that came after. */
export interface EventsAnswer<State extends z.ZodObject = z.ZodObject> {
  kind: "events";
  description: string;
  /** What a `state_sync` tells: its subject as it stands. */
  state: State;
  /** The other types, each with what it tells. */
  types: Readonly<Record<string, string>>;
}

/** Events that tell the present, without numbers: nothing of it is ever replayed. */
export interface NewsAnswer<
  Types extends Readonly<Record<string, z.ZodObject>> = Readonly<Record<string, z.ZodObject>>,
> {
  kind: "news";
  description: string;
  types: Types;
}

export interface EmptyAnswer {
  kind: "empty";
  description: string;
}

export type Answer = JsonAnswer | TextAnswer | FileAnswer | EventsAnswer | NewsAnswer | EmptyAnswer;

export interface Operation {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With parameters in braces. */
  path: `/${string}`;
  tag: (typeof operationTags)[number];
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  json?: z.ZodType;
  /** Whether it may come without a body. */
  jsonOptional?: true;
  /** As multipart/form-data. Files are read as they come; what is neither text nor file is sent as JSON. */
  form?: z.ZodObject;
  answers: Readonly<Record<number, Answer>>;
  refuses: readonly Refusal[];
}

export function json<Schema extends z.ZodType>(schema: Schema, description: string): JsonAnswer<Schema> {
  return { kind: "json", schema, description };
}

export function text<const Media extends string>(mediaType: Media, description: string): TextAnswer<Media> {
  return { kind: "text", mediaType, description };
}

export function file<const Media extends string>(mediaType: Media, description: string): FileAnswer<Media> {
  return { kind: "file", mediaType, description };
}

export function events<State extends z.ZodObject>(
  state: State,
  types: EventsAnswer["types"],
  description: string,
): EventsAnswer<State> {
  return { kind: "events", state, types, description };
}

export function news<Types extends NewsAnswer["types"]>(types: Types, description: string): NewsAnswer<Types> {
  return { kind: "news", types, description };
}

export function empty(description: string): EmptyAnswer {
  return { kind: "empty", description };
}

/** A file in a form. */
export const FilePart = z
  .custom<Blob>((value) => value instanceof Blob, { error: "must be a file" })
  .meta({ type: "string", format: "binary" });

/** What creates work takes a key, so that a request that is sent twice does it once. */
export function idempotencyKey(what: string, longest = 255) {
  const key = z.string().min(1).max(longest).optional();
  return z.object({ "idempotency-key": key.describe(`The same key answers with the same ${what}.`) });
}

/** How a stream is told where to go on. */
export function resumable<Id extends z.ZodType>(id: Id) {
  return {
    headers: z.object({ "last-event-id": id.optional().describe("The id of the last event that is known already.") }),
    query: z.object({ lastEventId: id.optional().describe("The same, for clients that cannot set the header.") }),
  };
}
