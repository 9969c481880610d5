/**
 * Decides what becomes of a hyphen at the end of a line: "exam-" and "ple" are one word again, "well-" and "known" keep
 * theirs. Where the page has the word in one of both forms elsewhere, that decides.
 */

/** First parts that English, German and French write with a hyphen far more often than without. */
const keptParts = new Set(
  "all co cross ex half high left long low mid much non post pre pro quasi right self semi short single so state time two three four five vice well e e- x".split(
    " ",
  ),
);

const openWord = /(\p{L}+)[-\u2010\u00ad]$/u;
const lowerStart = /^\p{Ll}+/u;

/** Words of a page in lower case, made when the first hyphen asks for it. */
export class KnownWords {
  readonly #source: () => Iterable<string>;
  #words: Set<string> | undefined;

  constructor(source: () => Iterable<string>) {
    this.#source = source;
  }

  has(word: string): boolean {
    this.#words ??= new Set([...this.#source()].map(bareWord));
    return this.#words.has(word.toLowerCase());
  }
}

function bareWord(text: string): string {
  return text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

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
  if (next === null) return /^[\p{Lu}\p{N}]/u.test(after) ? before + after : undefined;
  const first = open[1] ?? "";
  if (known?.has(first + next[0]) === true) return bare + after;
  if (known?.has(`${first}-${next[0]}`) === true) return before + after;
  const chained = bare.slice(0, -first.length).endsWith("-");
  return chained || keptParts.has(first.toLowerCase()) ? before + after : bare + after;
}
