/** Starts the web UI: theme, data and routes around one page. */
import "@mantine/core/styles.css";
import "@mantine/dropzone/styles.css";
import "@mantine/notifications/styles.css";
import "./styles.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AccessProvider } from "./access/AccessProvider.tsx";
import { createQueryClient } from "./api/query-client.ts";
import { ActivityProvider } from "./live/ActivityProvider.tsx";
import { createAppRouter } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";
import { UploadsProvider } from "./uploads/UploadsProvider.tsx";

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Where react-remove-scroll, which is under Mantine's dialogs, looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queryClient = createQueryClient();
const router = createAppRouter();

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <AccessProvider>
          <ActivityProvider>
            <UploadsProvider>
              <Notifications position="bottom-right" limit={4} />
              <RouterProvider router={router} />
            </UploadsProvider>
          </ActivityProvider>
        </AccessProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
