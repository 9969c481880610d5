/** Shows heat sheets as they are read; a bar is how far a sheet has come on the way that all sheets go. */
import { isEnded } from "../contract/states.ts";
import { describeSheet, lastStep, type SheetView } from "./batch-view.ts";
import { openProgressDisplay, type ProgressDisplay, padName, type Shown } from "./progress-display.ts";

export type SheetDisplay = ProgressDisplay<SheetView>;

export function openSheetDisplay(output: NodeJS.WriteStream): SheetDisplay {
  return openProgressDisplay(output, showSheet);
}

export function showSheet(sheet: SheetView): Shown {
  const { id, name, stage, status, reached } = sheet;
  return {
    id,
    name,
    barName: padName(name),
    text: describeSheet(sheet),
    phase: stage,
    quiet: isEnded(status),
    done: reached,
    total: lastStep,
  };
}
