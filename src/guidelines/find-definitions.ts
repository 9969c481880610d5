/** Finds the sentences that say what a word means. Only what is printed: the term and its sentence, nothing rephrased. */
import { wordsOf } from "./fold-words.ts";
import type { Definition } from "./page-structure.ts";

const noTerms = new Set(
  `this that these those it they he she we you i there here what which who how when where why one some many most all both
each every another other others something everything nothing anything first second next last answer reason aim purpose idea
example examples result results problem question difference way ways time people learners students teacher teachers figure
table picture photo video activity page chapter section unit lesson exercise following point points rest word words both part
parts number numbers name case cases kind kinds place thing things goal use as follows follow suppose so see let if by support since thus hence then now when note consider
assume given choose because although while after before with without in on at from for output outputs value values program programs please
during among our theorem proof computing statement contents input above below`.split(/\s+/),
);
const term = "((?:[\\p{L}\\d'’-]+ ){0,3}[\\p{L}\\d'’-]+)";
/** "A habitat is a place where …": what kind of thing, and what sets it apart. "The output is a bit noisy" does neither. */
const kindAndMark =
  "(?:is|are) (?!(?:an?|the) (?:very|bit|little|lot|good|same|result|reason|case)\\b)(?:an?|the|any|one of|made (?:up )?of|those|\\p{Ll}{3,}s) [^?]*?\\b(?:that|which|who|where|when|in which|by which|of|for|used|made|with|from|between|to)\\b[^?]+";
const verbIs = new RegExp(`^(?:(?:An?|In [a-z]+, an?|The) )?${term}(?: \\([^)]{2,40}\\))? ${kindAndMark}$`, "u");
const means = new RegExp(
  `^(?:The (?:word|term) )?["“‘']?(?:An? )?${term}["”’']? (?:means?|refers? to|(?:is|are) defined as|stands for|describes) [^?]+$`,
  "u",
);
const called = new RegExp(
  `(?:(?:is|are|was|be) (?:also |often |sometimes |usually )?(?:called|known as|termed|named)|[Ww]e call (?:this|these|it|them|such \\w+)|\\(called)(?: an?| the)? ["“‘']?${term}["”’']?(?=[.,;)(:]|$| (?:because|and|or|when|which|that|by|of|as)\\b)`,
  "u",
);
const glossary = new RegExp(`^["“‘']?${term}["”’']? ?(?:[:=]| [–—-]) ?(\\S.{12,})$`, "u");

export function findDefinitions(sentences: readonly string[], glossaryItems: readonly string[]): Definition[] {
  const found: Definition[] = [];
  const seen = new Set<string>();
  const add = (defined: string | undefined, text: string) => {
    const name = defined?.replace(/^(?:an?|the|our|your|its|it['’]s|their) /i, "").trim();
    if (name === undefined || !isTerm(name) || seen.has(name.toLowerCase())) return;
    seen.add(name.toLowerCase());
    found.push({ term: keepName(name, text), text });
  };
  for (const item of glossaryItems) add(glossary.exec(item)?.[1], item);
  for (const sentence of sentences) {
    const words = sentence.split(" ").length;
    if (words < 5 || words > 45 || /^(?:See|Note|If|In the|Let)\b/.test(sentence)) continue;
    add((means.exec(sentence) ?? called.exec(sentence) ?? verbIs.exec(sentence))?.[1], sentence);
  }
  return found;
}

function isTerm(name: string): boolean {
  const words = wordsOf(name);
  const [first = ""] = words;
  if (words.length === 0 || words.length > 4 || name.length < 3 || name.length > 50 || /\d/.test(name)) return false;
  if (noTerms.has(first.toLowerCase()) || noTerms.has((words.at(-1) ?? "").toLowerCase())) return false;
  return !words.some((word) =>
    /^(?:is|are|was|of these|because|not|very|most|my|your|his|her|and|if|to|it|they|we|you)$/i.test(word),
  );
}

/** At the beginning of a sentence the capital says nothing. */
function keepName(name: string, text: string): string {
  return text.startsWith(name) && /^\p{Lu}\p{Ll}/u.test(name) && !/ \p{Lu}/u.test(name)
    ? name.charAt(0).toLowerCase() + name.slice(1)
    : name;
}
