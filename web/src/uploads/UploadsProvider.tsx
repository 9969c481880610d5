/** The uploads of this tab, for every page. They outlive a session, but not the change to another person's. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useAccess } from "../access/AccessProvider.tsx";
import { useChangeOfPerson } from "../access/use-change-of-person.ts";
import { documentKeys } from "../api/documents.ts";
import { onSignedOut } from "../api/signed-out.ts";
import { createUploadStore, isUnderWay, type Upload, type UploadStore } from "./upload-store.ts";

const UploadsContext = createContext<UploadStore | null>(null);

export function UploadsProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [store] = useState(() =>
    createUploadStore(() => void queryClient.invalidateQueries({ queryKey: documentKeys.list })),
  );
  const isSending = useSyncExternalStore(store.subscribe, () => store.list().some(isUnderWay));

  // What has not arrived is lost with the tab: the browser asks first.
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    globalThis.addEventListener("beforeunload", ask);
    return () => globalThis.removeEventListener("beforeunload", ask);
  }, [isSending]);

  useEffect(() => onSignedOut(store.refuseWaiting), [store]);
  useChangeOfPerson(useAccess().session?.user?.name, store.removeAll);

  return <UploadsContext value={store}>{children}</UploadsContext>;
}

function useStore(): UploadStore {
  const store = useContext(UploadsContext);
  if (!store) throw new Error("Uploads are for what stands inside an UploadsProvider");
  return store;
}

/** Whether leaving the page would lose something. */
export function useIsUploading(): boolean {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => store.list().some(isUnderWay));
}

export function useUploads(): UploadStore & { uploads: readonly Upload[] } {
  const store = useStore();
  return { ...store, uploads: useSyncExternalStore(store.subscribe, store.list) };
}
