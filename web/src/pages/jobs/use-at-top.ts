/** Whether the page is scrolled to its top, or nearly: where what comes in may be shown at once. */
import { useSyncExternalStore } from "react";

const nearlyPx = 48;

export function useAtTop(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY <= nearlyPx);
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("scroll", onChange, { passive: true });
  return () => window.removeEventListener("scroll", onChange);
}
