/** Shows many things as they go on: live bars in a terminal, plain lines where the output goes into a pipe or a file. */
import { MultiBar, type SingleBar } from "cli-progress";
import { harmless } from "./harmless.ts";

/** One of them, as it is now. */
export interface Shown {
  id: string;
  name: string;
  /** What its bar is called. */
  barName: string;
  /** Where it is, in words. */
  text: string;
  /** A new one is always told; within one, a line a second at most. */
  phase: string;
  /** Nothing to tell in lines: it has not begun, or its end is told by a note. */
  quiet: boolean;
  done: number;
  total: number;
}

export interface ProgressDisplay<View> {
  /** It is like this now. */
  update(view: View): void;
  /** Something happened to it that is worth a line. */
  note(view: View, text: string): void;
  /** A line about something else. */
  say(text: string): void;
  end(): void;
}

/** For those who want nothing but the result. */
export const silentDisplay: ProgressDisplay<unknown> = {
  update: () => undefined,
  note: () => undefined,
  say: () => undefined,
  end: () => undefined,
};

export function openProgressDisplay<View>(
  output: NodeJS.WriteStream,
  show: (view: View) => Shown,
): ProgressDisplay<View> {
  return output.isTTY ? openBars(output, show) : openLines(output, show);
}

const progressEveryMs = 1_000;

/** A log stays readable. */
function openLines<View>(output: NodeJS.WritableStream, show: (view: View) => Shown): ProgressDisplay<View> {
  const last = new Map<string, { phase: string; text: string; at: number }>();
  const print = ({ id, name, phase, text: where }: Shown, text: string) => {
    // A note that says where it is need not be followed by the same as progress.
    if (where.includes(text)) last.set(id, { phase, text: where, at: performance.now() });
    output.write(`${harmless(`${name} ${text}`)}\n`);
  };
  return {
    update(view) {
      const shown = show(view);
      const before = last.get(shown.id);
      const told = before?.text === shown.text;
      const early = before?.phase === shown.phase && performance.now() - before.at < progressEveryMs;
      if (!shown.quiet && !told && !early) print(shown, shown.text);
    },
    note: (view, text) => print(show(view), text),
    say: (text) => void output.write(`${text}\n`),
    end: () => undefined,
  };
}

function openBars<View>(output: NodeJS.WriteStream, show: (view: View) => Shown): ProgressDisplay<View> {
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
  const byId = new Map<string, SingleBar>();
  return {
    update(view) {
      const { id, barName, text, done, total } = show(view);
      const fields = { name: harmless(barName), where: harmless(text) };
      const bar = byId.get(id) ?? bars.create(total, done, fields);
      byId.set(id, bar);
      bar.setTotal(total);
      bar.update(done, fields);
    },
    note: (view, text) => bars.log(`${harmless(`${show(view).barName.trim()} ${text}`)}\n`),
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
export function padName(name: string): string {
  return name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth);
}
