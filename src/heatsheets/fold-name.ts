/**
 * Takes a swimmer's name apart: words without case, accents and punctuation, and which of them is the surname where a comma
 * says so.
 */

export interface NameParts {
  /** In the order of speaking where a comma tells it, else as written. */
  given: string[];
  /** Empty where nothing tells surname from first name: then all words are in `given`. */
  last: string[];
  /** jr, sr, ii, iii, iv: people leave it out. */
  suffix: string | null;
}

const suffixes = new Set(["jr", "sr", "ii", "iii", "iv"]);

/** Letters that are no base letter with a mark, so that decomposing leaves them as they are. */
const letters: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
  ŋ: "n",
  // Some fonts of heat sheets say that their f before i and l is this one.
  ϐ: "f",
};

/** Lower case, without accents. Apostrophes and hyphens are gone: "O'Hara" is one word, "Smith-Jones" too. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  const plain = /^[\x20-\x7e\n]*$/.test(lower)
    ? lower
    : lower
        .replace(/[ßøłæœđðþıħŋϐ]/g, (letter) => letters[letter] ?? letter)
        .normalize("NFKD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase();
  return plain.replace(/['’‘`´ʼ\u00ad\u02bb]|(?<=\p{L})[-‐‑‒–](?=\p{L})/gu, "");
}

export function foldName(name: string): NameParts {
  const [before = [], ...after] = foldText(name)
    .split(",")
    .map((part) => part.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((words) => words.length > 0);
  const rest = after.flat();
  const words = [before, rest].map((part) => part.filter((word) => !suffixes.has(word)));
  const [last = [], given = []] = words;
  const suffix = [...before, ...rest].find((word) => suffixes.has(word)) ?? null;
  // "Jane Doe, Jr" has a comma and is still in the order of speaking.
  if (given.length === 0) return { given: last, last: [], suffix };
  if (last.length === 0) return { given, last: [], suffix };
  return { given, last, suffix };
}
