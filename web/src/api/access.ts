/** Who is asking, API keys, and the log of what was done. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ApiKey, ApiKeyList, AuditList, CreatedApiKey, NewApiKey, Session } from "../../../src/contract/access.ts";
import { ApiError, request } from "./request.ts";

const getSession = (signal?: AbortSignal) => request<Session>("/api/session", { signal });

export const session = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => getSession(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // The stream of everything is tried all the same, and has it asked for again when the server is back.
  retry: false,
  meta: { live: [] },
});

/** Throws WRONG_KEY, RATE_LIMITED, NO_COOKIE. */
export async function signIn(key: string): Promise<Session> {
  await request<Session>("/api/session", { method: "POST", body: { key } });
  const begun = await getSession();
  if (begun.user) return begun;
  // The key is right and yet nobody is signed in: without this the page would ask for the key for ever.
  const message =
    "The key is right, but this browser does not keep the cookie that goes with it. Allow cookies for this address, and use https if the server is set up for it.";
  throw new ApiError(0, "NO_COOKIE", message);
}

export const signOut = () => request<Session>("/api/session", { method: "DELETE" });

export const accessKeys = { keys: ["access", "keys"], audit: ["access", "audit"] } as const;

export const apiKeys = queryOptions({
  queryKey: accessKeys.keys,
  queryFn: ({ signal }) => request<ApiKeyList>("/api/keys", { signal }),
  meta: { live: [] },
});

export const createApiKey = (key: NewApiKey) => request<CreatedApiKey>("/api/keys", { method: "POST", body: key });
export const revokeApiKey = (id: string) => request<ApiKey>(`/api/keys/${id}`, { method: "DELETE" });

export const auditLog = infiniteQueryOptions({
  queryKey: accessKeys.audit,
  queryFn: ({ pageParam, signal }) =>
    request<AuditList>("/api/audit", { query: { limit: 20, before: pageParam }, signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
});
