/** Stands in for the server at the border, fetch: answers by address, notes what was asked, and tells of changes. */
import { act } from "@testing-library/react";
import { vi } from "vitest";
import type { JobSummary } from "../../../../../src/contract/jobs.ts";
import type { Stats } from "../../../../../src/contract/system.ts";

/** What an address answers: a value, sent as JSON, or a Response of its own. */
type Answer = () => unknown;

export interface FakeServer {
  /** Like "POST /api/samples", in the order they were made; those that only read are left out. */
  readonly calls: readonly string[];
  /** What the body of the last call to an address was. */
  bodyOf(call: string): unknown;
  /** Tells of jobs that changed, as the stream does. */
  tell(jobs: Pick<JobSummary, "kind">[], stats?: Partial<Stats>): Promise<void>;
}

/** Addresses are like "GET /api/jobs?state=running" or, for any query, "GET /api/jobs". */
export function startFakeServer(answers: Record<string, Answer>): FakeServer {
  const calls: string[] = [];
  const bodies = new Map<string, unknown>();
  let tellStream: ((text: string) => void) | undefined;

  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit = {}) => {
    if (url === "/api/stream") {
      return new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => {
            tellStream = (text) => controller.enqueue(new TextEncoder().encode(text));
          },
        }),
      );
    }
    const [path] = url.split("?");
    if (method !== "GET") {
      calls.push(`${method} ${path}`);
      bodies.set(`${method} ${path}`, body === undefined || body === null ? undefined : JSON.parse(String(body)));
    }
    const answer = answers[`${method} ${url}`] ?? answers[`${method} ${path}`];
    if (!answer) return Response.json({ error: "NOT_FOUND", message: `There is no ${url}.` }, { status: 404 });
    const value = answer();
    return value instanceof Response ? value : Response.json(value);
  });

  return {
    calls,
    bodyOf: (call) => bodies.get(call),
    tell: (jobs, stats = {}) =>
      act(async () => {
        await vi.waitFor(() => tellStream ?? Promise.reject(new Error("Nobody follows the stream.")));
        tellStream?.(`event: activity\ndata: ${JSON.stringify({ stats, jobs, complete: true })}\n\n`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }),
  };
}

/** An error as the routes of books give it. */
export const refusal = (status: number, detail: string) => Response.json({ detail }, { status });
