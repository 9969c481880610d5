/**
 * Texts of invented words on invented topics: those on one topic share their words and are near each other for any
 * embedding that looks at words; those on different topics share none. The same for the same name, always.
 */
import { createHash } from "node:crypto";
import type { SampleFile } from "./document-place.ts";
import { makeEpub } from "./sample-books.ts";

const syllables = "ba ce do fi gu ha je ki lo mu na pe qui ro su ta ve wi xo zu".split(" ");

/** Numbers below a limit, the same for the same seed. */
function numbersFrom(seed: string): (below: number) => number {
  let count = 0;
  return (below) => createHash("sha256").update(`${seed} ${count++}`).digest().readUInt32LE(0) % below;
}

export function wordsOf(topic: string, count = 24): string[] {
  const next = numbersFrom(`words of ${topic}`);
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 }, () => syllables[next(syllables.length)] as string).join(""),
  );
}

/** Sentences in the words given, all of them as often; another seed says something else in the same words. */
export function writeSentences(words: readonly string[], sentences: number, seed: string): string {
  const next = numbersFrom(seed);
  let deck: string[] = [];
  const draw = () => {
    if (deck.length === 0) deck = [...words];
    return deck.splice(next(deck.length), 1)[0] as string;
  };
  return Array.from({ length: sentences }, () => {
    const [first = "", ...rest] = Array.from({ length: 9 }, draw);
    return `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ")}.`;
  }).join(" ");
}

/** A chapter makes exactly one passage: too long to be gathered with its neighbour, too short to be cut. */
const sentencesPerChapter = 10;

/** An EPUB with a chapter, and so a passage, for every topic. */
export function makeTopicBook(name: string, topics: readonly string[]): SampleFile {
  const chapters = topics.map((topic) => ({
    body: `<h1>On ${topic}</h1><p>${writeSentences(wordsOf(topic), sentencesPerChapter, `${name} ${topic}`)}</p>`,
  }));
  return { name: `${name}.epub`, bytes: makeEpub({ title: name, chapters }) };
}

export function numberedTopics(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}
