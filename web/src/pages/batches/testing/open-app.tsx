/** The whole application at an address, with everything but the network as it is. */
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { createQueryClient } from "../../../api/query-client.ts";
import { ActivityProvider } from "../../../live/ActivityProvider.tsx";
import { createAppRouter } from "../../../router.tsx";

export function openApp(address: string) {
  const router = createAppRouter();
  router.update({ history: createMemoryHistory({ initialEntries: [address] }) });
  const { unmount } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <ActivityProvider>
          <Notifications />
          <RouterProvider router={router} />
        </ActivityProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { router, unmount };
}
