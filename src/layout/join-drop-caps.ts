/** Puts a large first letter that reaches over several lines back in front of its word. */
import type { PlacedWord } from "./placed-word.ts";

export function joinDropCaps(words: PlacedWord[], bodySize: number): PlacedWord[] {
  const caps = words.filter((word) => word.size >= bodySize * 1.8 && /^[“"‘'«]?\p{Lu}$/u.test(word.text));
  if (caps.length === 0 || caps.length > 20) return words;
  const taken = new Set<PlacedWord>();
  for (const cap of caps) {
    const word = wordAfter(cap, words);
    if (word === undefined) continue;
    word.text = cap.text + word.text;
    taken.add(cap);
  }
  return words.filter((word) => !taken.has(word));
}

/** The first word of the topmost of the lines that stand beside it. */
function wordAfter(cap: PlacedWord, words: readonly PlacedWord[]): PlacedWord | undefined {
  let best: PlacedWord | undefined;
  for (const word of words) {
    if (word.size > cap.size * 0.6 || !/^\p{L}/u.test(word.text)) continue;
    const gap = word.x1 - cap.x2;
    const middle = (word.y1 + word.y2) / 2;
    if (gap < -cap.size * 0.2 || gap > word.size * 1.2 || middle < cap.y1 - word.size * 0.5 || middle > cap.y2)
      continue;
    if (best === undefined || word.y1 < best.y1 - best.size * 0.5 || (word.y1 < best.y1 + 2 && word.x1 < best.x1))
      best = word;
  }
  return best !== undefined && cap.y2 - cap.y1 > best.size * 1.5 ? best : undefined;
}
