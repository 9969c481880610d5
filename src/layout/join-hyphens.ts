/**
 * Decides what becomes of a hyphen at the end of a line: "exam-" and "ple" are one word again, "well-" and "known" keep
 * theirs. What the page writes elsewhere decides first: the word in one of both forms, its parts as words of their own,
 * or other compounds with one of them.
 */
import type { KnownWords } from "./known-words.ts";

/** First parts that English, German and French write with a hyphen far more often than without. */
const keptParts = new Set(
  "cross half high left long low mid much non quasi right self semi short single state two three four five vice well".split(
    " ",
  ),
);
/** Those that also begin words: kept before a word the page has on its own. */
const prefixes = new Set("all co ex e post pre pro so time x".split(" "));
/** Parts that make words without a hyphen, although each is a word: "some-" and "thing", "frame-" and "work". */
const closedFirst = new Set(
  "after any back down ever every fore here home how inter more never none over some there type under what when where with your them him her our".split(
    " ",
  ),
);
const closedSecond = new Set(
  "able ably ally base body date down ever fore form full ground hand hood land less like line long mark mental more most ness one out over place point port press rate ring self selves ship side some thing ties time times wards ware where wise word words work works".split(
    " ",
  ),
);
/** Ends of words that a page may hold apart from their beginnings. */
const ending = /^(i[sz](ations?|ing|ed|ers?|es|e)|[a-z]?([ts]ions?|ments?|ness|it(y|ies)|[ae]nce))$/;
/** "mixed-" and "mode", "sorting-" and "order": words by their look. */
const participle = /^\p{Ll}{3,}(ed|ing|ly)$/u;
/** "left- and right-hand": the hyphen stands for what follows later. */
const suspending = /^(and|or|und|oder|bis|to|et|ou)$/;

const openWord = /(\p{L}+)[-\u2010\u00ad]$/u;
const lowerStart = /^\p{Ll}+/u;

/** "2019-" and "2020", "737–" and "9", "https://" and "www": broken without a sign of its own. */
function isBrokenNumberOrAddress(before: string, after: string): boolean {
  if (/[\p{L}\p{N}]–$/u.test(before)) return /^[\p{L}\p{N}]/u.test(after);
  if (/\p{N}-$/u.test(before)) return /^\p{N}/u.test(after);
  return /(:\/\/|\S\/|^www\.\S*\.)$|\S@$/.test(before) && /^[a-z\d]/.test(after) && /:\/\/|www\.|@/.test(before);
}

/** The two joined, or undefined if the hyphen does not part a word. */
export function joinHyphen(before: string, after: string, known?: KnownWords): string | undefined {
  const open = openWord.exec(before);
  if (open === null) return isBrokenNumberOrAddress(before, after) ? before + after : undefined;
  const bare = before.slice(0, -1);
  if (before.endsWith("\u00ad")) return bare + after;
  const next = lowerStart.exec(after);
  const first = open[1] ?? "";
  if (next === null) {
    const rest = /^[\p{Lu}\p{N}]+/u.exec(after)?.[0];
    if (rest === undefined) return undefined;
    return known?.has(first + rest) === true ? bare + after : before + after;
  }
  if (known?.has(first + next[0]) === true) return bare + after;
  if (suspending.test(after)) return undefined;
  if (known?.has(`${first}-${next[0]}`) === true) return before + after;
  const chained = bare.slice(0, -first.length).endsWith("-");
  return chained || isCompound(first.toLowerCase(), next[0], known) ? before + after : bare + after;
}

/** The same for a word that was joined before the rest of the document was known. */
export function keepsHyphen(parted: string, known: KnownWords): boolean {
  const [first = "", second = ""] = parted.split(/[-\u2010]/);
  if (parted.includes("\u00ad") || known.has(first + second)) return false;
  return known.has(`${first}-${second}`) || isCompound(first.toLowerCase(), second, known);
}

function isCompound(first: string, second: string, known: KnownWords | undefined): boolean {
  if (keptParts.has(first)) return true;
  if (known === undefined || !known.hasPlain(second) || ending.test(second)) return false;
  if (prefixes.has(first)) return true;
  if (closedFirst.has(first) || closedSecond.has(second)) return false;
  if (known.isPartOfCompound(first, second)) return second.length >= 4 && known.hasPlain(first);
  return first.length >= 4 && second.length >= 4 && (known.hasPlain(first) || participle.test(first));
}
