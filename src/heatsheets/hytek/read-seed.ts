/** The right end of a row: the seed time with its course, an X for exhibition before it, and marks behind it. */
import type { Word } from "../../layout/page.ts";

interface SeedPart {
  /** As printed, with the course letter at its end and without the X. */
  seed: string | null;
  exhibition: boolean;
  standard: string | null;
  /** What stands left of it. */
  before: Word[];
}

const timeForm = /^(X)?((?:(?:\d{1,2}:)?\d{1,2}:)?\d{1,3}[.,]\d{1,2})([YLS])?(B?)_*$/;
const noTimeForm = /^(X)?(NT|NP|NS)([YLS])?(B?)_*$/;
const blank = /^_+$/;

export function readSeed(words: readonly Word[]): SeedPart {
  const timeAt = words.findLastIndex(({ text }) => timeForm.test(text));
  const at = timeAt >= 0 ? timeAt : words.findLastIndex(({ text }) => noTimeForm.test(text));
  const text = words[at]?.text ?? "";
  const [, x, time, course = "", bonus] = timeForm.exec(text) ?? noTimeForm.exec(text) ?? [];
  if (time === undefined) {
    return { seed: null, exhibition: false, standard: null, before: words.filter(({ text }) => !blank.test(text)) };
  }
  const after = words.slice(at + 1).map(({ text }) => text.replace(/_+$/, ""));
  const courseApart = course === "" && /^[YLS]$/.test(after[0] ?? "") ? after.shift() : undefined;
  const before = words.slice(0, at).filter(({ text }) => !blank.test(text));
  const xApart = before.length > 1 && before.at(-1)?.text === "X";
  if (xApart) before.pop();
  const standard = [bonus ?? "", ...after].filter((mark) => mark !== "").join(" ");
  return {
    seed: time + course + (courseApart ?? ""),
    exhibition: x !== undefined || xApart,
    standard: standard === "" ? null : standard,
    before,
  };
}
