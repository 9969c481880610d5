/**
 * Has answers asked for again that are not true any more. One that is being asked for already is let come, and asked for once
 * more after it: cancelling it would mean that under steady changes a slow answer never comes at all.
 */
import type { Query, QueryClient } from "@tanstack/react-query";

export async function refreshQueries(queryClient: QueryClient, isOutdated: (query: Query) => boolean): Promise<void> {
  const outdated = queryClient.getQueryCache().findAll({ type: "active", predicate: isOutdated });
  const underWay = new Set(outdated.filter(({ state }) => state.fetchStatus === "fetching"));
  await queryClient.invalidateQueries({ predicate: isOutdated }, { cancelRefetch: false });
  if (underWay.size === 0) return;
  // Whether another change came meanwhile: then that one asks.
  const late = (query: Query) => underWay.has(query) && query.state.fetchStatus === "idle";
  await queryClient.invalidateQueries({ predicate: late }, { cancelRefetch: false });
}
