/** Shows jobs as they go on: live bars in a terminal, plain lines where the output goes into a pipe or a file. */
import { MultiBar, type SingleBar } from "cli-progress";
import { isEnded } from "../contract/states.ts";
import { describeProgress, type JobView } from "./job-view.ts";

export interface JobDisplay {
  /** The job is like this now. */
  update(view: JobView): void;
  /** Something happened to the job that is worth a line. */
  note(view: JobView, text: string): void;
  /** A line about something that is no job. */
  say(text: string): void;
  end(): void;
}

/** For those who want nothing but the result. */
export const silentDisplay: JobDisplay = {
  update: () => undefined,
  note: () => undefined,
  say: () => undefined,
  end: () => undefined,
};

export function openDisplay(output: NodeJS.WriteStream): JobDisplay {
  return output.isTTY ? openBars(output) : openLines(output);
}

const progressEveryMs = 1_000;

/** At most one line of progress a second and job, so that a log stays readable. */
function openLines(output: NodeJS.WritableStream): JobDisplay {
  const shown = new Map<string, { text: string; at: number }>();
  const print = (view: JobView, text: string) => output.write(`${view.label ?? `${view.kind} ${view.id}`} ${text}\n`);
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
    say: (text) => void output.write(`${text}\n`),
    end: () => undefined,
  };
}

const unknownTotal = 1;

function openBars(output: NodeJS.WriteStream): JobDisplay {
  const bars = new MultiBar({
    stream: output,
    format: "{name} [{bar}] {where}",
    barsize: 24,
    hideCursor: true,
    clearOnComplete: false,
    stopOnComplete: false,
    linewrap: false,
    gracefulExit: false,
    emptyOnZero: true,
  });
  const byJob = new Map<string, SingleBar>();
  const nameOf = ({ label, kind, id }: JobView) => (label === undefined ? `${kind} ${id.slice(-8)}` : padName(label));
  return {
    update(view) {
      const known = view.totalItems !== null && view.totalItems > 0;
      const total = known ? (view.totalItems as number) : unknownTotal;
      const done = view.status === "completed" ? total : known ? view.completedItems + view.failedItems : 0;
      const fields = { name: nameOf(view), where: describeProgress(view) };
      const bar = byJob.get(view.id) ?? bars.create(total, done, fields);
      byJob.set(view.id, bar);
      bar.setTotal(total);
      bar.update(done, fields);
    },
    note: (view, text) => bars.log(`${nameOf(view)} ${text}\n`),
    say: (text) => bars.log(`${text}\n`),
    end() {
      // stop() alone would drop the notes that wait for the next drawing.
      bars.update();
      bars.stop();
    },
  };
}

const nameWidth = 32;

/** Bars that begin in one column are easier to compare. */
function padName(name: string): string {
  return name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth);
}
