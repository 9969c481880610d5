/**
 * Who is using this page and what they may do. When the server no longer knows them, everything that was fetched for them
 * is forgotten and the frame around the pages asks for a key (see shell/Shell.tsx); pages that need none stay.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import type { Session } from "../../../src/contract/access.ts";
import { session as sessionQuery } from "../api/access.ts";
import { onSignedOut } from "../api/signed-out.ts";
import { useChangeOfPerson } from "./use-change-of-person.ts";

export interface AccessView {
  /** Undefined as long as the server has not said it. */
  session: Session | undefined;
  /** Whether the server was asked for the first time and has neither answered nor failed to. */
  isPending: boolean;
  /** Whether a key has to be given before anything else. */
  isSignedOut: boolean;
  /** Whether whoever signs in next goes on where this page was left: not after somebody has signed out on purpose. */
  keepsPlace: boolean;
  /** What was being typed when a session ended, by name (see useDraft). */
  drafts: Map<string, unknown>;
  /** Takes what the server said when somebody signed in or out. */
  take(session: Session): void;
}

const AccessContext = createContext<AccessView | null>(null);

export function AccessProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const { data: session, isFetched, refetch } = useQuery(sessionQuery);
  const [keepsPlace, setKeepsPlace] = useState(true);
  const [drafts] = useState(() => new Map<string, unknown>());
  const isSignedOut = session?.user === null;

  useEffect(
    () =>
      onSignedOut(() => {
        const known = queryClient.getQueryData(sessionQuery.queryKey);
        if (known?.keysRequired) {
          queryClient.setQueryData(sessionQuery.queryKey, { keysRequired: true, user: null });
        } else {
          // It asked for no keys a moment ago; it may have been started anew.
          void refetch({ cancelRefetch: false });
        }
      }),
    [queryClient, refetch],
  );
  useEndOfSession(session?.user?.sessionEndsAt ?? null, refetch);

  useEffect(() => {
    if (!isSignedOut) return;
    // What is still shown by now is for everyone.
    queryClient.removeQueries({ type: "inactive" });
    queryClient.getMutationCache().clear();
  }, [isSignedOut, queryClient]);

  const forgetDrafts = useCallback(() => drafts.clear(), [drafts]);
  useChangeOfPerson(session?.user?.name, forgetDrafts);

  const take = useCallback(
    (next: Session) => {
      setKeepsPlace(next.user !== null);
      queryClient.setQueryData(sessionQuery.queryKey, next);
    },
    [queryClient],
  );
  const view = { session, isPending: !isFetched, isSignedOut, keepsPlace, drafts, take };
  return <AccessContext value={view}>{children}</AccessContext>;
}

/** Longer timers end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Has the server asked when a session should be over: a page on which nothing happens would not notice. */
function useEndOfSession(endsAt: string | null, ask: () => Promise<unknown>): void {
  useEffect(() => {
    if (endsAt === null) return;
    const leftMs = Date.parse(endsAt) - Date.now();
    if (leftMs > longestTimerMs) return;
    const timer = setTimeout(() => void ask(), Math.max(leftMs, 0) + 1_000);
    return () => clearTimeout(timer);
  }, [endsAt, ask]);
}

export function useAccess(): AccessView {
  const view = useContext(AccessContext);
  if (!view) throw new Error("useAccess is for what stands inside an AccessProvider");
  return view;
}

/** Whether anything may be created or changed. As long as nothing is known of it, the server judges. */
export function useMayWrite(): boolean {
  return useAccess().session?.user?.scope !== "read";
}

/** Said beside everything that whoever may only look cannot do. */
export const readOnlyReason = "Your key may only look. To add or change something, sign in with one of scope write.";
