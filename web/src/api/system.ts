/** The server itself: its settings, health and samples. */
import { queryOptions } from "@tanstack/react-query";
import type { Readiness, StartedSamples, SystemInfo } from "../../../src/contract/system.ts";
import { request } from "./request.ts";

export const systemInfo = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => request<SystemInfo>("/api/system", { signal }),
});

export const readiness = queryOptions({
  queryKey: ["readiness"],
  queryFn: async ({ signal }): Promise<Readiness> => {
    // Not ready is an answer here, not an error.
    const response = await fetch("/readyz", { signal });
    return (await response.json()) as Readiness;
  },
});

export const startSamples = () => request<StartedSamples>("/api/samples", { method: "POST" });
