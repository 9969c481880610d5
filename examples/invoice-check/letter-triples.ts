/**
 * Embeddings of one's own: a text is how often each three letters stand in it. No network, no model file, any language; it
 * finds other forms of a word and misspellings, and knows nothing of meaning. It calls itself paid, as a service would be:
 * the ledger keeps its answers, and the same question is asked once.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { EmbeddingProvider } from "docmill";

const dimensions = 256;

export function letterTriples({ pauseMs }: { pauseMs: number }): EmbeddingProvider {
  return {
    name: "letter-triples",
    version: "1",
    dimensions,
    calibration: { unrelated: 0.3, related: 0.6 },
    paid: true,
    async embed(texts, { signal }) {
      await delay(pauseMs, undefined, { signal });
      return { vectors: texts.map(countTriples), usage: { costMicros: 200 } };
    },
  };
}

function countTriples(text: string): Float32Array {
  const counts = new Float32Array(dimensions);
  const letters = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")}  `;
  for (let at = 0; at + 3 <= letters.length; at++) {
    let place = 0;
    for (const letter of letters.slice(at, at + 3)) place = (place * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
    counts[place % dimensions] = (counts[place % dimensions] ?? 0) + 1;
  }
  return counts;
}
