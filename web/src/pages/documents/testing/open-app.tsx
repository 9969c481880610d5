/** The whole application at an address, with only the network made up. */
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { cleanup, configure, render } from "@testing-library/react";
import { vi } from "vitest";
import { createQueryClient } from "../../../api/query-client.ts";
import { ActivityProvider } from "../../../live/ActivityProvider.tsx";
import { createAppRouter } from "../../../router.tsx";

// Pages are fetched when they are first gone to, which takes its time where everything is slow.
configure({ asyncUtilTimeout: 20_000 });

interface AskedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** Answers by "GET /api/documents". A Response is given as it is, everything else as JSON. */
export type Answers = Record<string, (request: AskedRequest) => unknown>;

export interface OpenApp {
  asked: AskedRequest[];
  search(): Record<string, unknown>;
  path(): string;
}

export function openApp(address: string, answers: Answers): OpenApp {
  const asked: AskedRequest[] = [];
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    // Streams are open, and nothing happens.
    if (pathname.endsWith("/stream")) return new Response(new ReadableStream());
    const request = {
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: typeof body === "string" ? JSON.parse(body) : undefined,
    };
    asked.push(request);
    const answer = answers[`${method} ${pathname}`];
    if (!answer) return Response.json({ error: "NOT_FOUND", message: `There is no ${pathname}.` }, { status: 404 });
    const given = await answer(request);
    return given instanceof Response ? given : Response.json(given);
  });
  globalThis.history.replaceState(null, "", address);
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
  return {
    asked,
    search: () => router.state.location.search as Record<string, unknown>,
    path: () => router.state.location.pathname,
  };
}

export function closeApp(): void {
  cleanup();
  vi.unstubAllGlobals();
}
