/**
 * Passages of made-up words whose vectors cluster by topic as real ones do: as many as are wanted, without a corpus, the
 * same in every run.
 */
import type { PassageSource } from "./fill-library.ts";
import { type Random, seededRandom } from "./random.ts";
import { openTextSource, type TextSource } from "./synthetic-text.ts";

const dimensions = 512;
const topics = 1_000;
const topicsOfDocument = 5;
/** About 400 tokens. */
const wordsPerPassage = 250;
const seed = 20;

export interface Library {
  text: TextSource;
  random: Random;
  topics: number;
}

/** The words and topics the passages are written with, for asking about them. */
export function describeLibrary(): Library {
  return { text: openTextSource(seededRandom(seed)), random: seededRandom(seed + 1), topics };
}

export function makeUpPassages(): PassageSource {
  const { text } = describeLibrary();
  const random = seededRandom(seed + 2);
  const centres = Array.from({ length: topics }, () => unit(Array.from({ length: dimensions }, () => random.normal())));
  return {
    openDocument() {
      const about = Array.from({ length: topicsOfDocument }, () => Math.floor(random.next() * topics));
      let passages = 0;
      return () => {
        const topic = about[passages++ % about.length] as number;
        const content = text.write(random, topic, wordsPerPassage);
        return { content, vector: near(centres[topic] as Float32Array, random) };
      };
    },
  };
}

/** Some passages are close to the middle of their topic and some are hardly about it. */
function near(centre: Float32Array, random: Random): Float32Array {
  const away = 0.2 + 1.2 * random.next();
  const scale = away / Math.sqrt(centre.length);
  return unit(Array.from(centre, (value) => value + scale * random.normal()));
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
