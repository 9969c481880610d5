/** Shows the application, or a part of it, with everything but the network as it is. */
import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { cleanup, configure, render } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { vi } from "vitest";
import { AccessProvider } from "../access/AccessProvider.tsx";
import { createQueryClient } from "../api/query-client.ts";
import { ActivityProvider } from "../live/ActivityProvider.tsx";
import { createAppRouter } from "../router.tsx";
import { UploadsProvider } from "../uploads/UploadsProvider.tsx";

// Pages are fetched when they are first gone to, which takes its time where everything is slow.
configure({ asyncUtilTimeout: 20_000 });

export interface OpenApp {
  /** Where it is now. */
  path(): string;
  search(): Record<string, unknown>;
}

/** The whole application at an address. */
export function openApp(address: string): OpenApp {
  const router = createAppRouter();
  router.update({ history: createMemoryHistory({ initialEntries: [address] }) });
  render(
    <Surroundings>
      <Notifications />
      <RouterProvider router={router} />
    </Surroundings>,
  );
  return { path: () => router.state.location.pathname, search: () => router.state.location.search };
}

/** A component alone, mounted twice as in development: what starts something has to start it once all the same. */
export function renderInApp(content: ReactNode): void {
  const history = createMemoryHistory({ initialEntries: ["/"] });
  const router = createRouter({ routeTree: createRootRoute({ component: () => content }), history });
  render(
    <Surroundings>
      {/* The routes of the application are what links are checked against; here there is but one. */}
      <RouterProvider router={router as never} />
    </Surroundings>,
    { reactStrictMode: true },
  );
}

function Surroundings({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <AccessProvider>
          <ActivityProvider>
            <UploadsProvider>{children}</UploadsProvider>
          </ActivityProvider>
        </AccessProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** After each test: takes away what was shown, and the servers that stood in. */
export function closeApp(): void {
  cleanup();
  notifications.clean();
  vi.unstubAllGlobals();
}
