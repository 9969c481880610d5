/** Shows heat sheets as they are read: live bars in a terminal, plain lines where the output goes into a pipe or a file. */
import { MultiBar, type SingleBar } from "cli-progress";
import { isEnded } from "../contract/states.ts";
import { describeSheet, lastStep, type SheetView } from "./batch-view.ts";
import { harmless } from "./harmless.ts";

export interface SheetDisplay {
  /** The sheet is like this now. */
  update(sheet: SheetView): void;
  /** Something happened to the sheet that is worth a line. */
  note(sheet: SheetView, text: string): void;
  /** A line about the batch. */
  say(text: string): void;
  end(): void;
}

/** For those who want nothing but the result. */
export const silentSheetDisplay: SheetDisplay = {
  update: () => undefined,
  note: () => undefined,
  say: () => undefined,
  end: () => undefined,
};

export function openSheetDisplay(output: NodeJS.WriteStream): SheetDisplay {
  return output.isTTY ? openBars(output) : openLines(output);
}

const progressEveryMs = 1_000;

/** At most one line of progress a second and sheet, so that a log stays readable; a new stage is always told. */
function openLines(output: NodeJS.WritableStream): SheetDisplay {
  const shown = new Map<string, { stage: string; text: string; at: number }>();
  const print = (sheet: SheetView, text: string) => output.write(`${harmless(`${sheet.name} ${text}`)}\n`);
  return {
    update(sheet) {
      if (isEnded(sheet.status)) return;
      const { stage } = sheet;
      const text = describeSheet(sheet);
      const last = shown.get(sheet.id);
      const now = performance.now();
      if (last?.text === text || (last?.stage === stage && now - last.at < progressEveryMs)) return;
      shown.set(sheet.id, { stage, text, at: now });
      print(sheet, text);
    },
    note(sheet, text) {
      shown.set(sheet.id, { stage: sheet.stage, text: describeSheet(sheet), at: performance.now() });
      print(sheet, text);
    },
    say: (text) => void output.write(`${text}\n`),
    end: () => undefined,
  };
}

function openBars(output: NodeJS.WriteStream): SheetDisplay {
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
  const bySheet = new Map<string, SingleBar>();
  return {
    update(sheet) {
      const fields = { name: padName(harmless(sheet.name)), where: harmless(describeSheet(sheet)) };
      const bar = bySheet.get(sheet.id) ?? bars.create(lastStep, sheet.reached, fields);
      bySheet.set(sheet.id, bar);
      bar.update(sheet.reached, fields);
    },
    note: (sheet, text) => bars.log(`${harmless(`${sheet.name} ${text}`)}\n`),
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
