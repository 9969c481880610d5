/** Changes that come faster than answers neither keep an answer from coming, nor go untold. */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { refreshQueries } from "./refresh-queries.ts";

test("a slow answer comes under steady changes, and is asked for once more after the last", async () => {
  const queryClient = new QueryClient();
  const answers: ((value: number) => void)[] = [];
  const aborted = vi.fn();
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<number>((resolve) => {
      signal.addEventListener("abort", aborted);
      answers.push(resolve);
    });
  const observer = new QueryObserver(queryClient, { queryKey: ["list"], queryFn, initialData: 0, staleTime: 0 });
  const unsubscribe = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(1));

  // Three changes while the first answer is on its way.
  const refreshes = [1, 2, 3].map(() => refreshQueries(queryClient, () => true));
  expect(answers).toHaveLength(1);
  answers[0]?.(1);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(observer.getCurrentResult().data).toBe(1);
  answers[1]?.(2);
  await Promise.all(refreshes);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2));
  expect(answers).toHaveLength(2);
  expect(aborted).not.toHaveBeenCalled();
  unsubscribe();
});
