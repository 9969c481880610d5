/** Questions to a library that has grown, over HTTP. */
import type { SearchAnswer } from "../../src/contract/documents.ts";
import { describeLibrary } from "../documents/made-up-passages.ts";
import type { DocmillClient } from "../harness/docmill-server.ts";

export type SearchMode = "hybrid" | "text" | "meaning";

/** Asks the next of an endless list of questions. In a small library words may find nothing; meaning always does. */
export function openQuestions(server: DocmillClient): (mode: SearchMode) => Promise<void> {
  const { text, random, topics } = describeLibrary();
  return async (mode) => {
    const q = text.ask(random, Math.floor(random.next() * topics));
    const { items } = await server.get<SearchAnswer>(`/api/search?${new URLSearchParams({ q, mode })}`);
    if (items.length === 0 && mode !== "text") throw new Error(`nothing was found for "${q}"`);
  };
}
