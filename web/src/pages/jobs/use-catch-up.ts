/** Asks again for what is known to be outdated: as soon as that is allowed, one request at a time, and never in a loop. */
import { useCallback, useEffect, useState } from "react";
import type { ApiError } from "../../api/request.ts";

export interface CatchUpOptions {
  ask(): Promise<void>;
  /** Whether it may be asked without a person wanting it. */
  allowed: boolean;
  startsBehind: boolean;
}

export function useCatchUp({ ask, allowed, startsBehind }: CatchUpOptions) {
  const [isBehind, setBehind] = useState(startsBehind);
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  const catchUp = useCallback(async () => {
    setBehind(false);
    setAsking(true);
    try {
      await ask();
      setError(null);
    } catch (failure) {
      setBehind(true);
      setError(failure as ApiError);
    } finally {
      setAsking(false);
    }
  }, [ask]);

  useEffect(() => {
    if (isBehind && allowed && !isAsking && error === null) void catchUp();
  }, [isBehind, allowed, isAsking, error, catchUp]);

  /** What is shown is outdated. */
  const fallBehind = useCallback(() => {
    setBehind(true);
    setError(null);
  }, []);

  return { isBehind, isAsking, error, catchUp, fallBehind };
}
