/** How answers are kept. They are refreshed by what the server tells (see live/), never by a timer of their own. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./request.ts";

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: ApiError;
    queryMeta: {
      /** Kinds of jobs whose changes outdate the answer; true for those of any. */
      live?: true | readonly string[];
    };
  }
}

/** Asking again helps where the server could not be reached or was not itself. */
const isPassing = ({ status }: ApiError) => status === 0 || status >= 500;
const mostRetries = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        // The stream knows of a lost connection first, and has everything asked for again once it is back.
        refetchOnReconnect: false,
        networkMode: "always",
        retry: (failures, error) => error instanceof ApiError && isPassing(error) && failures < mostRetries,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
