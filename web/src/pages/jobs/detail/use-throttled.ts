/** Calls at once, and then no more often than every so many milliseconds; the last call is never lost while the component is shown. */
import { useCallback, useEffect, useRef } from "react";

export function useThrottled(call: () => void, everyMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const calledAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        calledAt.current = performance.now();
        call();
      },
      Math.max(0, calledAt.current + everyMs - performance.now()),
    );
  }, [call, everyMs]);
}
