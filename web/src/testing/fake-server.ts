/**
 * Stands in for the server at the border, fetch: answers by "GET /api/jobs", keeps what was asked, and has streams that a
 * test feeds. It asks for no keys, unless a test says so; what else it is not told to answer is not there (404).
 */
import { act } from "@testing-library/react";
import { vi } from "vitest";
import type { ErrorAnswer } from "../../../src/contract/errors.ts";
import type { JobSummary } from "../../../src/contract/jobs.ts";
import type { Stats } from "../../../src/contract/system.ts";
import { type FakeStream, openFakeStream, type StreamEvent } from "./fake-stream.ts";
import { openSession } from "./made-up/access.ts";
import { makeStats } from "./made-up/system.ts";

interface AskedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  /** Of what was sent as JSON. */
  body: unknown;
}

/** A Response is given as it is, everything else as JSON. */
type Answer = (request: AskedRequest) => unknown;

/** By "GET /api/jobs?state=running" or, for any query, "GET /api/jobs". */
export type Answers = Record<string, Answer>;

export interface FakeServer {
  /** Everything but streams and the question who is asking, in its order. */
  readonly asked: readonly AskedRequest[];
  /** The same, like "GET /api/jobs?limit=200". */
  readonly calls: readonly string[];
  /** Those that do more than read, like "POST /api/samples". */
  readonly writes: readonly string[];
  /** What was last sent with a call like "POST /api/samples". */
  bodyOf(call: string): unknown;
  /** Answers a call from now on. */
  on(call: string, answer: Answer): void;
  /** What was opened of a path, latest last. */
  streams(path: string): readonly FakeStream[];
  /** Sends events, all at once, over the stream of a path that is followed, and waits until they have been taken in. */
  tell(path: string, ...events: StreamEvent[]): Promise<void>;
  /** Tells everybody of jobs that changed. */
  tellActivity(jobs: readonly Pick<JobSummary, "kind">[], more?: ActivityOptions): Promise<void>;
}

interface ActivityOptions {
  stats?: Partial<Stats>;
  complete?: boolean;
}

export function startFakeServer(given: Answers = {}): FakeServer {
  const answers = new Map(Object.entries(given));
  const asked: AskedRequest[] = [];
  const calls: string[] = [];
  const opened: { path: string; stream: FakeStream }[] = [];

  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { method = "GET", body } = init;
    const { pathname: path, search, searchParams } = new URL(url, "http://server");
    const answer = answers.get(`${method} ${path}${search}`) ?? answers.get(`${method} ${path}`);
    if (path.endsWith("/stream") && !answer) {
      const { stream, response } = openFakeStream(init);
      opened.push({ path, stream });
      return response;
    }
    if (method === "GET" && path === "/api/session")
      return asResponse(answer ? await answer(sessionAsked) : openSession);
    const query = Object.fromEntries(searchParams);
    const request = { method, path, query, body: typeof body === "string" ? JSON.parse(body) : undefined };
    asked.push(request);
    calls.push(`${method} ${path}${search}`);
    if (!answer) return refusal({ status: 404, error: "NOT_FOUND", message: `There is no ${path}.` });
    return asResponse(await answer(request));
  });

  const streams = (path: string) => opened.filter((one) => one.path === path).map(({ stream }) => stream);
  const tell = async (path: string, ...events: StreamEvent[]) => {
    const followed = () => streams(path).findLast(({ isClosed }) => !isClosed);
    const stream = await vi.waitUntil(followed, { timeout: 20_000 });
    await act(async () => {
      stream.send(...events);
      // Nothing says that an event has been read to its end, and a test may be about what it does not lead to.
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
  };
  return {
    asked,
    calls,
    get writes() {
      return asked.filter(({ method }) => method !== "GET").map(nameOf);
    },
    bodyOf: (call) => asked.findLast((request) => nameOf(request) === call)?.body,
    on: (call, answer) => void answers.set(call, answer),
    streams,
    tell,
    tellActivity: (jobs, { stats, complete = true } = {}) =>
      tell("/api/stream", { type: "activity", stats: makeStats(stats), jobs, complete }),
  };
}

const sessionAsked: AskedRequest = { method: "GET", path: "/api/session", query: {}, body: undefined };

const asResponse = (value: unknown) => (value instanceof Response ? value : Response.json(value));

const nameOf = ({ method, path }: AskedRequest) => `${method} ${path}`;

export interface Refusal extends Pick<ErrorAnswer, "error" | "message"> {
  status: number;
}

/** An error as documents, batches and jobs give it. */
export const refusal = ({ status, ...answer }: Refusal) => Response.json(answer, { status });

/** An error as the routes of books give it. */
export const bookRefusal = (status: number, detail: string) => Response.json({ detail }, { status });
