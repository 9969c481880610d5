/**
 * How much may be kept of the text of one document. A small file can show the same page ten thousand times, each with
 * a million words; whoever puts them together afterwards holds them all. What was stored under an earlier lease is not
 * counted again: an attempt more allows as much more, and there are few.
 */
import { TerminalError } from "../../../errors.ts";

export interface TextBudget {
  /** Throws TEXT_TOO_LARGE once more has been read than may be kept. */
  require(): void;
  spend(bytes: number): void;
}

export function openTextBudget(maxBytes: number): TextBudget {
  let spent = 0;
  const require = () => {
    if (spent <= maxBytes) return;
    const mb = Math.round(maxBytes / 2 ** 20);
    const message = `The document has more text than the ${mb} MB that are kept of one (DOCMILL_MAX_TEXT_MB).`;
    throw new TerminalError("TEXT_TOO_LARGE", message, { details: { maxBytes } });
  };
  return {
    require,
    spend(bytes) {
      spent += bytes;
      require();
    },
  };
}
