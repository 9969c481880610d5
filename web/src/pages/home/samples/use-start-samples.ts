/** Starts the samples and remembers them. */
import { batchKeys } from "../../../api/batches.ts";
import { bookKeys } from "../../../api/books.ts";
import { documentKeys } from "../../../api/documents.ts";
import { startSamples } from "../../../api/system.ts";
import { useAction } from "../../../parts/use-action.ts";
import { useStartedSamples } from "./use-started-samples.ts";

export function useStartSamples() {
  const { keep } = useStartedSamples();
  return useAction({
    run: startSamples,
    outdates: [documentKeys.list, batchKeys.list, bookKeys.list],
    onDone: keep,
  });
}
