/** What a person says of a connection: shown at once, and taken back if the server does not take it. */
import { notifications } from "@mantine/notifications";
import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Connection, ConnectionChange, ConnectionList } from "../../../../../src/contract/documents.ts";
import { changeConnection, documentConnections } from "../../../api/documents.ts";
import type { ApiError } from "../../../api/request.ts";

interface Judgement {
  id: string;
  change: ConnectionChange;
}

export function useJudgeConnection(documentId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = documentConnections(documentId);
  const put = (id: string, change: Partial<Connection>) =>
    queryClient.setQueryData<InfiniteData<ConnectionList, string | undefined>>(queryKey, (data) =>
      data ? { ...data, pages: data.pages.map((page) => withChange(page, id, change)) } : undefined,
    );
  const find = (id: string) =>
    queryClient
      .getQueryData(queryKey)
      ?.pages.flatMap(({ items }) => items)
      .find((connection) => connection.id === id);

  return useMutation<Connection, ApiError, Judgement, Connection | undefined>({
    mutationFn: ({ id, change }) => changeConnection(id, change),
    onMutate: async ({ id, change }) => {
      // An answer that is under way knows nothing of it.
      await queryClient.cancelQueries({ queryKey });
      const before = find(id);
      put(id, change);
      return before;
    },
    onSuccess: ({ id, user_validated, user_starred }) => put(id, { user_validated, user_starred }),
    onError: (error, { id }, before) => {
      if (before) put(id, before);
      notifications.show({ title: "That was not kept", message: error.message, color: "red" });
    },
  });
}

function withChange(page: ConnectionList, id: string, change: Partial<Connection>): ConnectionList {
  const items = page.items.map((connection) => (connection.id === id ? { ...connection, ...change } : connection));
  return { ...page, items };
}
