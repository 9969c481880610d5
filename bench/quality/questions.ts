/** Questions that people could ask about documents of the corpus, and what answers them. */
import { readFile } from "node:fs/promises";

export interface Question {
  question: string;
  /** File names; the same book may be there in two formats. */
  documents: string[];
  /** The right passage has one of these, by its words. */
  phrases: string[];
}

export async function readQuestions(): Promise<Question[]> {
  return JSON.parse(await readFile(new URL("questions.json", import.meta.url), "utf8")) as Question[];
}
