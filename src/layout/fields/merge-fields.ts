/**
 * Makes one list of a document's fields out of those of its pages: what a running header repeats is kept once, and each
 * well-known notion is told once, by the page that is surest of it.
 */
import type { Field } from "../blocks.ts";

export function mergeFields(fields: readonly Field[]): Field[] {
  const bySaying = new Map<string, Field>();
  for (const field of fields) {
    const saying =
      field.source === "pattern" ? `pattern\n${field.key}` : `${field.source}\n${field.key}\n${field.value}`;
    const known = bySaying.get(saying);
    if (known && known.confidence >= field.confidence) continue;
    // A map keeps the place of a key it knows: taken out first, the field stands where its own page has it.
    bySaying.delete(saying);
    bySaying.set(saying, field);
  }
  return [...bySaying.values()].sort((a, b) => a.page - b.page);
}
