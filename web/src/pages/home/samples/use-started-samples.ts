/** Which samples this browser has started: known in every tab and after a reload, until they are put away. */
import { useLocalStorage } from "@mantine/hooks";
import type { StartedSamples } from "../../../../../src/contract/system.ts";

export const samplesKey = "docmill-samples";

export interface StartedSamplesStore {
  samples: StartedSamples | null;
  keep(samples: StartedSamples): void;
  putAway(): void;
}

export function useStartedSamples(): StartedSamplesStore {
  const [samples, keep, putAway] = useLocalStorage<StartedSamples | null>({
    key: samplesKey,
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: readSamples,
  });
  return { samples, keep, putAway };
}

/** Null where something else is stored under the name. */
function readSamples(text: string | undefined): StartedSamples | null {
  try {
    const value = JSON.parse(text ?? "null") as Partial<StartedSamples> | null;
    const { documentIds, bookId, batchId } = value ?? {};
    if (!Array.isArray(documentIds) || typeof bookId !== "string" || typeof batchId !== "string") return null;
    return { documentIds, bookId, batchId };
  } catch {
    return null;
  }
}
