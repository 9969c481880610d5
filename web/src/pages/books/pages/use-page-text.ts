/** The text of a page while somebody works on it: what was typed stays until it is saved or discarded, whatever is fetched meanwhile. */
import { useQueryClient } from "@tanstack/react-query";
import type { BookPage } from "../../../../../src/contract/books.ts";
import { useDraft } from "../../../access/use-draft.ts";
import { approvePage, bookKeys, bookPage, savePageText } from "../../../api/books.ts";
import { useAction } from "../../../parts/use-action.ts";

export interface PageText {
  value: string;
  /** Differs from what the server has. */
  isDirty: boolean;
  /** It has been saved since the page was opened. */
  isSaved: boolean;
  canApprove: boolean;
  isSaving: boolean;
  isApproving: boolean;
  change(value: string): void;
  discard(): void;
  save(): void;
  /** False if the server has refused it, which has been said then. */
  saveAndWait(): Promise<boolean>;
  /** Saves first what is not saved. */
  approve(onApproved?: () => void): void;
}

export function usePageText(bookId: string, page: BookPage, saved: string): PageText {
  const { page_num: number } = page;
  const queryClient = useQueryClient();
  const [draft, setDraft] = useDraft<string | null>(`page ${number} of ${bookId}`, () => null);
  const isDirty = draft !== null && draft !== saved;
  const value = draft ?? saved;
  const outdates = [bookKeys.one(bookId)];

  const store = async (text: string) => {
    const stored = await savePageText(bookId, number, text);
    queryClient.setQueryData(bookPage(bookId, stored).queryKey, stored);
    // What was typed while it was under way is not saved yet.
    setDraft((typed) => (typed === text ? null : typed));
  };
  const saving = useAction({ run: store, outdates });
  const approval = useAction({
    run: async () => {
      if (isDirty) await store(value);
      await approvePage(bookId, number);
    },
    outdates,
  });

  return {
    value,
    isDirty,
    isSaved: saving.isSuccess && !isDirty,
    canApprove: page.ocr_status === "completed" || isDirty,
    isSaving: saving.isPending,
    isApproving: approval.isPending,
    change: setDraft,
    discard: () => setDraft(null),
    save: () => saving.mutate(value),
    saveAndWait: () =>
      saving.mutateAsync(value).then(
        () => true,
        () => false,
      ),
    approve: (onApproved) => approval.mutate(undefined, { onSuccess: onApproved }),
  };
}
