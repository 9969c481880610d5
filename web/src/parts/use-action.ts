/** Something a person does to the server: says that it worked or why not, and has what it changed asked for again. */
import { notifications } from "@mantine/notifications";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { readOnlyReason, useMayWrite } from "../access/AccessProvider.tsx";
import { ApiError } from "../api/request.ts";

export interface ActionOptions<Input, Answer> {
  run(input: Input): Promise<Answer>;
  /** Said when it worked; left out where the page itself shows it. */
  done?: string | ((answer: Answer, input: Input) => string | undefined);
  /** Answers that are not true any more; an answer is meant by the beginning of its key. */
  outdates?: readonly QueryKey[];
  onDone?(answer: Answer, input: Input): void;
  /** Whether those may do it, too, who may only look. */
  isForReaders?: boolean;
}

export function useAction<Input = void, Answer = unknown>(options: ActionOptions<Input, Answer>) {
  const queryClient = useQueryClient();
  const underWay = useRef(new Set<string>());
  const mayRun = useMayWrite() || options.isForReaders === true;
  const action = useMutation<Answer, ApiError, Input>({
    // Said here, whatever the button looks like: nobody is sent to the server to be refused.
    mutationFn: async (input) => {
      if (!mayRun) throw new ApiError(403, "FORBIDDEN", readOnlyReason);
      return options.run(input);
    },
    onSuccess: (answer, input) => {
      const done = typeof options.done === "function" ? options.done(answer, input) : options.done;
      if (done !== undefined) notifications.show({ message: done, color: "green" });
      options.onDone?.(answer, input);
    },
    onError: (error) =>
      notifications.show({ title: "That did not work", message: error.message, color: "red", autoClose: 10_000 }),
    onSettled: (_answer, _error, input) => {
      underWay.current.delete(keyOf(input));
      return Promise.all((options.outdates ?? []).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  const { mutate: start } = action;
  // The second half of a double click comes before any button could have been greyed.
  const mutate = useCallback<typeof start>(
    (...given) => {
      const key = keyOf(given[0]);
      if (underWay.current.has(key)) return;
      underWay.current.add(key);
      start(...given);
    },
    [start],
  );
  return { ...action, mutate };
}

function keyOf(input: unknown): string {
  return JSON.stringify(input) ?? "";
}
