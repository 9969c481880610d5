/** The server itself: its settings, health and samples. */
import { queryOptions } from "@tanstack/react-query";
import type { Readiness, StartedSamples, SystemInfo } from "../../../src/contract/system.ts";
import { readAnswer, request, unreachable } from "./request.ts";

/** No job changes it, but the connection may come back to another server than was lost. */
const untilReconnected = { live: [] };

export const systemInfo = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => request<SystemInfo>("/api/system", { signal }),
  meta: untilReconnected,
});

export const readiness = queryOptions({
  queryKey: ["readiness"],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const response = await fetch("/readyz", { signal }).catch((error: unknown) => {
      throw signal.aborted ? error : unreachable(error);
    });
    return readReadiness(response.status, await response.text());
  },
  meta: untilReconnected,
});

/** Not ready is an answer here, not an error; what a proxy says in the server's place is one. */
function readReadiness(status: number, text: string): Readiness {
  return readAnswer<Readiness>(status === 503 && text.startsWith("{") ? 200 : status, text);
}

export const startSamples = () => request<StartedSamples>("/api/samples", { method: "POST" });
