/** Shows jobs as they go on: live bars in a terminal, plain lines where the output goes into a pipe or a file. */
import { MultiBar, type SingleBar } from "cli-progress";
import { isEnded } from "../contract/states.ts";
import { describeProgress, type JobView } from "./job-view.ts";

export interface JobDisplay {
  /** The job is like this now. */
  update(view: JobView): void;
  /** Something happened to the job that is worth a line. */
  note(view: JobView, text: string): void;
  end(): void;
}

export function openDisplay(output: NodeJS.WriteStream): JobDisplay {
  return output.isTTY ? openBars(output) : openLines(output);
}

const progressEveryMs = 1_000;

/** At most one line of progress a second and job, so that a log stays readable. */
function openLines(output: NodeJS.WritableStream): JobDisplay {
  const shown = new Map<string, { text: string; at: number }>();
  const print = (view: JobView, text: string) => output.write(`${view.kind} ${view.id} ${text}\n`);
  return {
    update(view) {
      if (view.stage === null || isEnded(view.status)) return;
      const text = describeProgress(view);
      const last = shown.get(view.id);
      const now = performance.now();
      if (last && (last.text === text || now - last.at < progressEveryMs)) return;
      shown.set(view.id, { text, at: now });
      print(view, text);
    },
    note: print,
    end: () => undefined,
  };
}

const unknownTotal = 1;

function openBars(output: NodeJS.WriteStream): JobDisplay {
  const bars = new MultiBar({
    stream: output,
    format: "{kind} {id} [{bar}] {where}",
    barsize: 24,
    hideCursor: true,
    clearOnComplete: false,
    stopOnComplete: false,
    linewrap: false,
    gracefulExit: false,
    emptyOnZero: true,
  });
  const byJob = new Map<string, SingleBar>();
  const shorten = (id: string) => id.slice(-8);
  return {
    update(view) {
      const known = view.totalItems !== null && view.totalItems > 0;
      const total = known ? (view.totalItems as number) : unknownTotal;
      const done = view.status === "completed" ? total : known ? view.completedItems + view.failedItems : 0;
      const fields = { kind: view.kind, id: shorten(view.id), where: describeProgress(view) };
      const bar = byJob.get(view.id) ?? bars.create(total, done, fields);
      byJob.set(view.id, bar);
      bar.setTotal(total);
      bar.update(done, fields);
    },
    note: (view, text) => bars.log(`${view.kind} ${shorten(view.id)} ${text}\n`),
    end() {
      // stop() alone would drop the notes that wait for the next drawing.
      bars.update();
      bars.stop();
    },
  };
}
