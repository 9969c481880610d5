/**
 * A route from its entry in the contract's table of operations: what it takes and answers is said there and nowhere else.
 * What any operation of its kind may be refused with is added here.
 */
import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import { BatchError } from "../contract/batches.ts";
import { BookError } from "../contract/books.ts";
import { ErrorAnswer } from "../contract/errors.ts";
import type { Answer, EmptyAnswer, FileAnswer, JsonAnswer, Operation, TextAnswer } from "../contract/operation.ts";
import { refusals } from "../contract/operation.ts";
import { type OperationId, type Operations, operations } from "../contract/operations.ts";
import { harmlessMethods, neededScope } from "./access/needed-scope.ts";
import { invalidRequest } from "./errors.ts";
import { limitBody } from "./limit-body.ts";
import { describeEvents, describeNews } from "./openapi/describe-events.ts";
import type { App } from "./routing.ts";

type Nothing = Record<never, never>;
type Part<Key extends string, Schema> = Schema extends z.ZodType ? { [Name in Key]: Schema } : Nothing;
type PartOf<Op, From extends string, To extends string> = Op extends { [Name in From]: infer Schema }
  ? Part<To, Schema>
  : Nothing;
type BodyOf<Op> = Op extends { json: infer Schema extends z.ZodType }
  ? { body: { required: boolean; content: { "application/json": { schema: Schema } } } }
  : Nothing;
type RequestOf<Op> = PartOf<Op, "params", "params"> &
  PartOf<Op, "query", "query"> &
  PartOf<Op, "headers", "headers"> &
  BodyOf<Op>;
type ContentOf<Given> =
  Given extends JsonAnswer<infer Schema>
    ? { "application/json": { schema: Schema } }
    : Given extends TextAnswer<infer Media> | FileAnswer<infer Media>
      ? { [Name in Media]: { schema: z.ZodString } }
      : { "text/event-stream": { schema: z.ZodString } };
type ResponsesOf<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends EmptyAnswer
    ? { description: string }
    : { description: string; content: ContentOf<Answers[Status]> };
};

/** An operation as the framework wants to have it. */
type RouteOf<Op extends Operation> = {
  method: Op["method"];
  path: Op["path"];
  request: RequestOf<Op>;
  responses: ResponsesOf<Op["answers"]>;
};

export function routeOf<Id extends OperationId>(id: Id): RouteOf<Operations[Id]> {
  return createRoute(describeRoute(id)) as unknown as RouteOf<Operations[Id]>;
}

/** For bodies that are read from the connection as they come: the framework would gather them in memory first. */
export function takeUpload(app: App, id: OperationId, take: (c: Context) => Promise<Response>): void {
  const route = createRoute(describeRoute(id));
  app.openAPIRegistry.registerPath(route);
  app.on(route.method.toUpperCase(), route.getRoutingPath(), take);
}

/** What an upload says beside its body. */
export function readParams<Schema extends z.ZodObject>(c: Context, schema: Schema): z.output<Schema> {
  return read("param", schema, c.req.param());
}

export function readQuery<Schema extends z.ZodObject>(c: Context, schema: Schema): z.output<Schema> {
  return read("query", schema, c.req.query());
}

export function readHeaders<Schema extends z.ZodObject>(c: Context, schema: Schema): z.output<Schema> {
  return read("header", schema, c.req.header());
}

function read<Schema extends z.ZodObject>(target: string, schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalidRequest(target, parsed.error);
  return parsed.data;
}

/** Describes an operation that is answered elsewhere. */
export function describeOnly(app: App, id: OperationId): void {
  app.openAPIRegistry.registerPath(describeRoute(id));
}

function describeRoute(operationId: OperationId): RouteConfig {
  const operation: Operation = operations[operationId];
  const { method, path, tag, summary, description, params, query, headers } = operation;
  const scope = neededScope(method.toUpperCase(), path);
  const needed = scope === undefined ? "" : `Where keys are asked for, it takes one of scope \`${scope}\`.`;
  return {
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    description: [description, needed].filter(Boolean).join("\n\n"),
    // Nobody is asked on a server that is bound to this machine alone.
    security: scope === undefined ? [] : [{ apiKey: [scope] }, { session: [scope] }, {}],
    ...(operation.json && { middleware: limitBody }),
    request: { params, query, headers, body: describeBody(operation) } as RouteConfig["request"],
    responses: { ...describeRefusals(operation), ...describeAnswers(operationId, operation) },
  };
}

function describeBody({ json, jsonOptional, form }: Operation) {
  if (json) return { required: !jsonOptional, content: { "application/json": { schema: json } } };
  if (!form) return undefined;
  // What is no text and no file goes as JSON: an array would be a field for each entry otherwise.
  const inJson = Object.entries(form.shape).filter(([, schema]) => isPlainList(schema as z.ZodType));
  const encoding = Object.fromEntries(inJson.map(([name]) => [name, { contentType: "application/json" }]));
  return { required: true, content: { "multipart/form-data": { schema: form, encoding } } };
}

function isPlainList(schema: z.ZodType): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodArray && inner.element instanceof z.ZodString;
}

function describeAnswers(id: string, { answers }: Operation): RouteConfig["responses"] {
  const entries = Object.entries(answers).map(([status, answer]) => {
    const { description } = answer;
    const content = describeContent(id, answer);
    return [status, content ? { description, content } : { description }] as const;
  });
  return Object.fromEntries(entries);
}

function describeContent(id: string, answer: Answer) {
  const plain = z.string();
  switch (answer.kind) {
    case "json": {
      const { schema, alternative } = answer;
      return { "application/json": { schema }, ...(alternative !== undefined && { [alternative]: { schema: plain } }) };
    }
    case "text":
      return { [answer.mediaType]: { schema: plain } };
    case "file":
      return { [answer.mediaType]: { schema: z.string().meta({ format: "binary" }) } };
    case "events":
      return { "text/event-stream": { schema: describeEvents(id, answer) } };
    case "news":
      return { "text/event-stream": { schema: describeNews(answer) } };
    case "empty":
      return undefined;
  }
}

/** What an operation may be refused with though nothing is wrong with what it asks for. */
const always = {
  401: "A key is needed, or the one given is not good: UNAUTHORIZED, WRONG_KEY",
  403: "The key may not do this (FORBIDDEN), or a page of another site asks for it (FOREIGN_PAGE)",
  421: "This server answers to another name: WRONG_HOST",
  429: "Too many requests, or too many wrong keys: RATE_LIMITED",
  500: "Something went wrong inside the server",
  503: "Something the server needs cannot be reached",
} as const;

function describeRefusals({ method, path, refuses }: Operation): RouteConfig["responses"] {
  const reasons: Record<number, string> = {};
  for (const status of refuses) reasons[status] = refusals[status];
  const changes = !harmlessMethods.has(method.toUpperCase());
  const asksWho = changes || path === "/api/session" || neededScope(method.toUpperCase(), path) !== undefined;
  const statuses: (keyof typeof always)[] = [
    ...(asksWho ? ([401, 429] as const) : []),
    ...(changes || neededScope("GET", path) === "admin" ? ([403] as const) : []),
    421,
    500,
    ...(needsDatabase(path) ? ([503] as const) : []),
  ];
  for (const status of statuses) reasons[status] = [reasons[status], always[status]].filter(Boolean).join(". ");
  const schema = errorOf(path);
  return Object.fromEntries(
    Object.entries(reasons).map(([status, description]) => [
      status,
      { description, content: { "application/json": { schema } }, ...(tellsWhen(status) && { headers: retryAfter }) },
    ]),
  );
}

const retryAfter = z.object({ "Retry-After": z.string().describe("When to try again, in seconds.") });

function tellsWhen(status: string): boolean {
  return status === "429" || status === "503";
}

function needsDatabase(path: string): boolean {
  return /^\/(api|admin|documents|metrics)(\/|$)/.test(path);
}

/** Answers about batches say whether they are a success; errors about books are a sentence. */
export function wordsOf(path: string): "batch" | "book" | "plain" {
  if (/^\/api\/(batch|results|discover-heatsheets)(\/|$)/.test(path)) return "batch";
  return /^\/admin(\/|$)/.test(path) ? "book" : "plain";
}

function errorOf(path: string): z.ZodType {
  return { batch: BatchError, book: BookError, plain: ErrorAnswer }[wordsOf(path)];
}
