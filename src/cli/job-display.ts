/** Shows jobs as they go on. */
import { isEnded } from "../contract/states.ts";
import { describeProgress, type JobView } from "./job-view.ts";
import { openProgressDisplay, type ProgressDisplay, padName, type Shown } from "./progress-display.ts";

export type JobDisplay = ProgressDisplay<JobView>;

export function openDisplay(output: NodeJS.WriteStream): JobDisplay {
  return openProgressDisplay(output, showJob);
}

const unknownTotal = 1;

export function showJob(view: JobView): Shown {
  const { id, kind, label, stage, status, totalItems, completedItems, failedItems } = view;
  const total = totalItems !== null && totalItems > 0 ? totalItems : undefined;
  return {
    id,
    name: label ?? `${kind} ${id}`,
    barName: label === undefined ? `${kind} ${id.slice(-8)}` : padName(label),
    text: describeProgress(view),
    phase: "",
    quiet: stage === null || isEnded(status),
    done: status === "completed" ? (total ?? unknownTotal) : total === undefined ? 0 : completedItems + failedItems,
    total: total ?? unknownTotal,
  };
}
