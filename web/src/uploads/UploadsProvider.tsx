/** The uploads of this tab, for every page. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { documentKeys } from "../api/documents.ts";
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

  return <UploadsContext value={store}>{children}</UploadsContext>;
}

const nothing = () => () => undefined;

/** Whether leaving the page would lose something. False where nothing can be uploaded at all. */
export function useIsUploading(): boolean {
  const store = useContext(UploadsContext);
  return useSyncExternalStore(store?.subscribe ?? nothing, () => store?.list().some(isUnderWay) ?? false);
}

export function useUploads(): UploadStore & { uploads: readonly Upload[] } {
  const store = useContext(UploadsContext);
  if (!store) throw new Error("useUploads is for what stands inside an UploadsProvider");
  return { ...store, uploads: useSyncExternalStore(store.subscribe, store.list) };
}
