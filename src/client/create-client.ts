/**
 * Talks to a Docmill server, from a browser or from Node.js. It has a method for every operation of the API; answers are
 * checked against the contract, and whatever goes wrong is a DocmillApiError, but for what the caller aborts.
 */
import type { EventsAnswer, Operation } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import { DocmillApiError, notUnderstood, readJson, toApiError, unreachable } from "./api-error.ts";
import { buildRequest } from "./build-request.ts";
import type { ClientMethods, CreateOptions, WatchedEvent, WatchOptions } from "./client-methods.ts";
import { followEvents } from "./follow-events.ts";
import { backOffMs, pause } from "./pause.ts";
import type { ServerEvent } from "./read-event-stream.ts";

export interface ClientOptions {
  /** Where the server is. */
  url: string;
  /** An API key, where the server asks for one. */
  key?: string;
  /** How often a call that is safe to repeat is sent again when the server answers 429 or 503. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface DocmillClient extends ClientMethods {
  readonly url: string;
}

type Input = Readonly<Record<string, unknown>>;

const busy = new Set([429, 503]);
const firstBackOffMs = 500;
/** Whoever is told to wait longer is told so. */
const longestWaitSeconds = 120;

export function createClient({ url, key, retries: usually = 3, fetch: ask = fetch }: ClientOptions): DocmillClient {
  const server = url.replace(/\/+$/, "");
  const methods = Object.keys(operations).map((id) => {
    const operation: Operation = operations[id as OperationId];
    const kind = operation.answers[200]?.kind;
    const method =
      kind === "events" || kind === "news"
        ? (input?: Input, options?: WatchOptions) => watch(operation, input, options)
        : (input?: Input, options?: CreateOptions) => call(operation, input, options);
    return [id, method];
  });
  return { ...(Object.fromEntries(methods) as ClientMethods), url: server };

  async function call(operation: Operation, input: Input = {}, options: CreateOptions = {}): Promise<unknown> {
    const { signal, idempotencyKey, retries = usually } = options;
    const { path, headers, body } = buildRequest(operation, input);
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const mayRepeat = ["get", "put"].includes(operation.method) || idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt++) {
      const response = await reach(operation, path, { headers, body, signal });
      if (Object.hasOwn(operation.answers, response.status)) {
        return readWhole(() => readAnswer(operation, response), signal);
      }
      const error = await readWhole(() => toApiError(response, server), signal);
      const { status, retryAfterSeconds: wait } = error;
      const again = mayRepeat && busy.has(status) && attempt < retries && (wait ?? 0) <= longestWaitSeconds;
      if (!again) throw error;
      await pause(wait === undefined ? backOffMs(firstBackOffMs, attempt) : wait * 1_000, signal);
    }
  }

  async function readAnswer({ answers }: Operation, response: Response): Promise<unknown> {
    const answer = answers[response.status];
    switch (answer?.kind) {
      case "json": {
        const parsed = answer.schema.safeParse(await readJson(response));
        if (parsed.success) return parsed.data;
        throw notUnderstood(server, response.status, parsed.error);
      }
      case "text":
        return response.text();
      case "file":
        return response.blob();
      default:
        await response.body?.cancel();
        return undefined;
    }
  }

  /** A connection may break, or its caller lose interest, while the body comes. */
  async function readWhole<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof DocmillApiError ? error : unreachable(server, error);
    }
  }

  async function* watch(
    operation: Operation,
    input: Input = {},
    options: WatchOptions = {},
  ): AsyncGenerator<unknown, void, void> {
    const { signal } = options;
    const { path, headers } = buildRequest(operation, input);
    const open = async (after: string | undefined) => {
      const known = after === undefined ? headers : { ...headers, "last-event-id": after };
      const response = await reach(operation, path, { headers: known, signal });
      if (!response.ok) throw await readWhole(() => toApiError(response, server), signal);
      return response.body ?? undefined;
    };
    const answer = operation.answers[200];
    for await (const event of followEvents(open, options)) {
      yield answer?.kind === "events" ? readEvent(answer, event) : { type: event.type, data: readData(event.data) };
    }
  }

  function readData(text: string): Record<string, unknown> {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw notUnderstood(server, 200, error);
    }
  }

  function readEvent({ state }: EventsAnswer, { id, type, data: text }: ServerEvent): WatchedEvent<unknown> {
    const data = readData(text);
    const event = { id, number: Number(data.eventId), type, data };
    if (type !== "state_sync") return event;
    const parsed = state.safeParse(data);
    if (!parsed.success) throw notUnderstood(server, 200, parsed.error);
    return { ...event, state: parsed.data };
  }

  async function reach({ method }: Operation, path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    try {
      return await ask(server + path, { ...init, headers, method: method.toUpperCase() });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw unreachable(server, error);
    }
  }
}
