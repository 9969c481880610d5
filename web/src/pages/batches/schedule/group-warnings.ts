/** Warnings of many sheets: what several of them say is said once, and names that were meant are told apart from the text. */
import { plainName } from "./swim-words.ts";

export interface Warning {
  text: string;
  /** The sheets that it is about; empty where it is about all. */
  files: string[];
  /** Names that may have been meant. */
  names: string[];
}

/** A warning of a batch begins with the name of its sheet. */
export function groupWarnings(warnings: readonly string[], filenames: readonly (string | null)[]): Warning[] {
  const known = filenames.filter((name) => name !== null).sort((a, b) => b.length - a.length);
  const grouped = new Map<string, Warning>();
  for (const warning of warnings) {
    const file = known.find((name) => warning.startsWith(`${name}: `));
    const text = file === undefined ? warning : warning.slice(file.length + 2);
    const group = grouped.get(text) ?? { text, files: [], names: readNames(text) };
    if (file !== undefined && !group.files.includes(file)) group.files.push(file);
    grouped.set(text, group);
  }
  return [...grouped.values()];
}

/** The names in `Did you mean "…" or "…"?`. */
function readNames(text: string): string[] {
  const offer = /^Did you mean (.+)\?$/.exec(text)?.[1] ?? "";
  return [...offer.matchAll(/"([^"]+)"/g)].flatMap(([, name]) => (name ? plainName(name) : []));
}
