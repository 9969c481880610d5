/** Shows documents, heat sheets and the steps of a book side by side. */

import type { SheetView } from "./batch-view.ts";
import { showJob } from "./job-display.ts";
import type { JobView } from "./job-view.ts";
import { openProgressDisplay, type ProgressDisplay } from "./progress-display.ts";
import { showSheet } from "./sheet-display.ts";

export type DemoDisplay = ProgressDisplay<JobView | SheetView>;

export function openDemoDisplay(output: NodeJS.WriteStream): DemoDisplay {
  return openProgressDisplay(output, (view) => ("reached" in view ? showSheet(view) : showJob(view)));
}
