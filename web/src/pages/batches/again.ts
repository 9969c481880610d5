/**
 * What the page for a new schedule begins with when somebody tries another spelling: the name goes with the history entry,
 * and what was sent for the schedule before is remembered as long as the tab is open, so that nobody has to choose the
 * files again.
 */
import type { ChosenSheet } from "./new/chosen-sheets.ts";

export interface Again {
  swimmer: string;
  /** The batch that the sheets were sent for. */
  batchId: string;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    again?: Again;
  }
}

const sent = new Map<string, readonly ChosenSheet[]>();

export function rememberSent(batchId: string, sheets: readonly ChosenSheet[]): void {
  sent.set(batchId, sheets);
}

export function sentFor(batchId: string): readonly ChosenSheet[] {
  return sent.get(batchId) ?? [];
}
