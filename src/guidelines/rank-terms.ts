/** Ranks the words and pairs of words a page is about: what is frequent, named in headings, listed or defined. */
import { foldWord, wordsOf } from "./fold-words.ts";
import { isStopWord } from "./stop-words.ts";
import { isUpper } from "./title-shape.ts";

export interface TermSources {
  sentences: readonly string[];
  headings: readonly string[];
  /** Listed as key words, or defined. */
  named: readonly string[];
}

const most = 12;

interface Term {
  /** As it is first printed, in small letters unless it is always written large. */
  printed: string;
  score: number;
  first: number;
}

export function rankTerms({ sentences, headings, named }: TermSources): string[] {
  const terms = new Map<string, Term>();
  let position = 0;
  const add = (printed: string, key: string, score: number) => {
    const term = terms.get(key);
    if (term === undefined) terms.set(key, { printed, score, first: position++ });
    else {
      term.score += score;
      // A word that is somewhere written small is no name.
      if (printed.toLowerCase() === printed) term.printed = printed;
    }
  };
  for (const text of named) addTexts(add, [text], 5, true);
  for (const text of headings) addTexts(add, [text], 2.5, false);
  addTexts(add, sentences, 1, false);
  const ranked = [...terms.entries()].filter(([, { score }]) => score >= 2);
  const enough = ranked.length >= 3 ? ranked : [...terms.entries()];
  const ordered = enough.sort(([, a], [, b]) => b.score - a.score || a.first - b.first);
  return withoutParts(ordered).slice(0, most);
}

type Add = (printed: string, key: string, score: number) => void;

function addTexts(add: Add, texts: readonly string[], weight: number, whole: boolean): void {
  for (const text of texts) {
    const words = wordsOf(isUpper(text) ? text.toLowerCase() : text);
    if (whole && words.length <= 4 && words.length > 0) {
      add(words.join(" ").toLowerCase(), words.map(foldWord).join(" "), weight);
      continue;
    }
    let last: { word: string; key: string } | null = null;
    for (const word of words) {
      const key = foldWord(word);
      if (key.length < 3 || isStopWord(key) || isStopWord(word.toLowerCase().replace("’", "'"))) {
        last = null;
        continue;
      }
      const printed = /^\p{Lu}\p{Ll}/u.test(word) && !whole ? word.toLowerCase() : word;
      add(printed, key, weight);
      // Two words that belong together stand together more than once.
      if (last !== null) add(`${last.word} ${printed}`.toLowerCase(), `${last.key} ${key}`, weight * 0.9);
      last = { word: printed, key };
    }
  }
}

/** "life process" makes "life" and "process" needless where they are not much more frequent on their own. */
function withoutParts(ordered: [string, Term][]): string[] {
  const pairs = ordered.filter(([key, { score }]) => key.includes(" ") && score >= 1.8);
  return ordered
    .filter(([key, { score }]) => {
      if (key.includes(" ")) return score >= 1.8;
      return !pairs.some(([pair, { score: together }]) => pair.split(" ").includes(key) && together >= score * 0.6);
    })
    .map(([, { printed }]) => printed);
}
