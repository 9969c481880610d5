/** The whole application at an address, with a server that stands in for the real one at the border, fetch. */
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import { vi } from "vitest";
import { createQueryClient } from "../../../api/query-client.ts";
import { ActivityProvider } from "../../../live/ActivityProvider.tsx";
import { createAppRouter } from "../../../router.tsx";

export interface FakeServer {
  /** Like "GET /api/jobs?limit=200", in their order, without streams. */
  readonly asked: string[];
  /** Sends messages, all at once, over a stream that is followed. */
  tell(stream: string, ...messages: { type: string; data: unknown }[]): Promise<void>;
}

export interface FakeServerOptions {
  answer(request: { method: string; path: string; query: URLSearchParams }): unknown;
}

export function startFakeServer({ answer }: FakeServerOptions): FakeServer {
  const asked: string[] = [];
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  vi.stubGlobal("fetch", async (url: string, { method = "GET" }: RequestInit = {}) => {
    const { pathname: path, search, searchParams: query } = new URL(url, "http://server");
    if (path.endsWith("/stream")) {
      return new Response(new ReadableStream({ start: (stream) => void streams.set(path, stream) }));
    }
    asked.push(`${method} ${path}${search}`);
    const value = answer({ method, path, query });
    return value === undefined
      ? Response.json({ error: "NOT_FOUND", message: "There is no such thing." }, { status: 404 })
      : Response.json(value);
  });
  return {
    asked,
    async tell(path, ...messages) {
      const stream = await vi.waitUntil(() => streams.get(path));
      await act(async () => {
        const text = messages.map(({ type, data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join("");
        stream.enqueue(new TextEncoder().encode(text));
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
    },
  };
}

export function openApp(address: string) {
  window.history.replaceState(null, "", address);
  const router = createAppRouter();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <ActivityProvider>
          <Notifications />
          <RouterProvider router={router} />
        </ActivityProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}
