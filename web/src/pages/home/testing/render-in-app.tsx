/** Shows something as the application does: themed, with data, the stream of changes, and links that lead somewhere. */
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { type ReactNode, StrictMode } from "react";
import { createQueryClient } from "../../../api/query-client.ts";
import { ActivityProvider } from "../../../live/ActivityProvider.tsx";

export function renderInApp(content: ReactNode): void {
  const history = createMemoryHistory({ initialEntries: ["/"] });
  const router = createRouter({ routeTree: createRootRoute({ component: () => content }), history });
  render(
    <StrictMode>
      <MantineProvider>
        <QueryClientProvider client={createQueryClient()}>
          <ActivityProvider>
            {/* The routes of the application are what links are checked against; here there is but one. */}
            <RouterProvider router={router as never} />
          </ActivityProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
