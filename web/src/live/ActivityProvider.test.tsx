// @vitest-environment happy-dom
/** Answers are asked for again when the server tells of a change that outdates them, and not otherwise. */
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../api/query-client.ts";
import { request } from "../api/request.ts";
import { ActivityProvider, useActivity } from "./ActivityProvider.tsx";

let asked: string[] = [];
let tell: (jobs: { kind: string }[], complete?: boolean) => Promise<void>;

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (url: string) => {
    if (url !== "/api/stream") {
      asked.push(url);
      return Response.json({ times: asked.filter((other) => other === url).length });
    }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        tell = (jobs, complete = true) =>
          act(async () => {
            const data = { stats: { jobs: { running: jobs.length } }, jobs, complete };
            controller.enqueue(new TextEncoder().encode(`event: activity\ndata: ${JSON.stringify(data)}\n\n`));
            await new Promise((resolve) => setTimeout(resolve, 20));
          });
      },
    });
    return new Response(body);
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Answers() {
  const { connection } = useActivity();
  for (const [path, live] of [
    ["/documents", ["document"]],
    ["/jobs", true],
    ["/settings", undefined],
  ] as const) {
    // biome-ignore lint/correctness/useHookAtTopLevel: the list is the same at every call.
    useQuery({ queryKey: [path], queryFn: () => request(path), meta: { live } });
  }
  return <p>{connection}</p>;
}

test("a change outdates what depends on jobs of its kind", async () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ActivityProvider>
        <Answers />
      </ActivityProvider>
    </QueryClientProvider>,
  );
  await screen.findByText("open");
  const count = (path: string) => asked.filter((url) => url === path).length;
  await vi.waitFor(() => expect(asked).toHaveLength(3));

  await tell([{ kind: "word-count" }]);
  await vi.waitFor(() => expect(count("/jobs")).toBe(2));
  expect([count("/documents"), count("/settings")]).toEqual([1, 1]);

  await tell([{ kind: "document" }]);
  await vi.waitFor(() => expect([count("/documents"), count("/jobs")]).toEqual([2, 3]));

  // Workers beat and counts move without any job of interest.
  await tell([]);
  expect(asked).toHaveLength(6);

  await tell([], false);
  await vi.waitFor(() => expect([count("/documents"), count("/jobs"), count("/settings")]).toEqual([3, 4, 1]));
});
