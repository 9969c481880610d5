/**
 * Shows a batch of heat sheets until it has ended, over lost connections and restarts of the server. Watching changes
 * nothing: whoever stops watching leaves the work running.
 */
import type { BatchDetail } from "../contract/batches.ts";
import { applyBatchEvent, describeSheetEvent, isBatchEnded, viewBatch, viewNewBatch } from "./batch-view.ts";
import type { ServerClient } from "./server-client.ts";
import type { SheetDisplay } from "./sheet-display.ts";

export interface WatchBatchOptions {
  server: ServerClient;
  batchId: string;
  /** How it stood before it was started again; left out for a new one, which is told from its first event. */
  before?: BatchDetail;
  display: SheetDisplay;
  signal: AbortSignal;
}

export async function watchBatch({ server, batchId, before, display, signal }: WatchBatchOptions): Promise<void> {
  // Sheets may have ended before anyone could look, and that they failed must be told all the same.
  let view = before ? viewBatch(before) : viewNewBatch(await server.readBatch({ id: batchId }));
  const after = before?.batch.lastEventId ?? 0;
  for (const sheet of view.sheets) display.update(sheet);
  const onSilence = () => display.say(`${server.url} does not answer; trying again`);
  for await (const event of server.watchBatch({ id: batchId }, { after, signal, onSilence })) {
    const last = view;
    view = applyBatchEvent(view, event);
    for (const [index, sheet] of view.sheets.entries()) {
      if (sheet === last.sheets[index]) continue;
      const note = sheet.id === event.data.jobId ? describeSheetEvent(event, sheet) : undefined;
      if (note !== undefined) display.note(sheet, note);
      display.update(sheet);
    }
    // One that had ended before it was started again is not over until it ends once more.
    if (isBatchEnded(view.status) && !isBatchEnded(last.status)) return;
  }
}
