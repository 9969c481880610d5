/**
 * Whether a name stands in a text of any layout: with its words next to each other, in either order, also over the end of a
 * line. Words of the name that stand apart, as those of two other people do, are no occurrence. Both are somebody else's
 * choice, so it walks over words and never searches with an expression made of the name: its time grows with the text alone.
 */
import { foldName, foldText } from "./fold-name.ts";
import { parseWanted } from "./match-name.ts";

export function occursIn(text: string, wanted: string): boolean {
  const orders = listOrders(parseWanted(wanted).name);
  if (orders.length === 0) return false;
  const words = listWords(text);
  return words.some((_, at) => orders.some((order) => order(words, at)));
}

/** What stands before a word: the end of a line, a comma, a space, or anything else that parts it from the word before. */
type Gap = " " | "\n" | "," | ".";

interface PrintedWord {
  text: string;
  gap: Gap;
}

/** Whether the name begins at this word. */
type Order = (words: readonly PrintedWord[], at: number) => boolean;

function listWords(text: string): PrintedWord[] {
  const plain = foldText(text.replaceAll("\r", "\n").replace(/(?<=\p{L})[-\u00ad]\n/gu, ""))
    .replaceAll("*", " ")
    .replace(/(?<=\p{L})\.(?=[\s,])/gu, "");
  let end = 0;
  return [...plain.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => {
    const gap = readGap(plain.slice(end, index));
    end = index + word.length;
    return { text: word, gap };
  });
}

function readGap(between: string): Gap {
  const signs = between.replace(/\s/g, "");
  if (signs === ",") return ",";
  if (signs !== "" || between === "") return ".";
  return between.includes("\n") ? "\n" : " ";
}

/** Longer names are no names, and every word more is a further way to tell first names from surnames. */
const mostWords = 12;

function listOrders(name: string): Order[] {
  const { given, last } = foldName(name);
  if (given.length + last.length > mostWords) return [];
  if (last.length > 0) return [spoken(given, last), listed(given, last)];
  if (given.length === 0) return [];
  if (given.length === 1) return [(words, at) => spell(words, at, given).length > 0];
  return given.slice(1).flatMap((_word, index): Order[] => {
    const [before, after] = [given.slice(0, index + 1), given.slice(index + 1)];
    // The other way round only with a comma that says so: in lists, anybody's surname is followed by the next first name.
    const turned: Order = (words, at) =>
      spell(words, at, before).some((end) => words[end]?.gap === "," && spell(words, end, after).length > 0);
    return [spoken(before, after), listed(before, after), turned];
  });
}

/** "Jane M Doe". */
function spoken([first = "", ...middles]: readonly string[], last: readonly string[]): Order {
  return (words, at) => {
    const ends = spell(words, at, [first]).flatMap((end) => [...passMiddles(words, end, middles)]);
    return ends.some((end) => {
      if (words[end]?.gap === " ") return spell(words, end, last).length > 0;
      // Not the end of "Smith, Jane" and the beginning of "Doe, Mary" on the next line.
      if (words[end]?.gap !== "\n" || words[at]?.gap === ",") return false;
      return spell(words, end, last).some((after) => words[after]?.gap !== ",");
    });
  };
}

/** "Doe Jr, Jane". */
function listed(given: readonly string[], last: readonly string[]): Order {
  return (words, at) =>
    spell(words, at, last).some((end) => {
      const first = words[end]?.gap === " " && suffixes.has(words[end]?.text ?? "") ? end + 1 : end;
      const { gap } = words[first] ?? {};
      if (gap !== "," && gap !== " ") return false;
      // A first name of two words may be printed as one.
      return spell(words, first, given.slice(0, 1)).length > 0 || spell(words, first, given).length > 0;
    });
}

const suffixes = new Set(["jr", "sr", "ii", "iii", "iv"]);

/** Where the surname may begin: behind the name's own middle names, each whole, as an initial or left out; or behind any. */
function passMiddles(words: readonly PrintedWord[], from: number, middles: readonly string[]): Set<number> {
  const ends = new Set([from]);
  for (const middle of middles) {
    for (const end of [...ends]) {
      if (words[end]?.gap !== " " && words[end]?.gap !== "\n") continue;
      if (words[end].text === [...middle][0]) ends.add(end + 1);
      for (const after of spell(words, end, [middle])) ends.add(after);
    }
  }
  if (middles.length > 0) return ends;
  const isName = (at: number) => words[at]?.gap === " " && /^\p{L}+$/u.test(words[at].text);
  const isInitial = (at: number) => isName(at) && [...(words[at]?.text ?? "")].length === 1;
  if (isName(from)) ends.add(from + 1);
  if (isInitial(from) && isInitial(from + 1)) ends.add(from + 2);
  return ends;
}

/** Where these words end if they begin here. Where they are one or several is a matter of taste ("Vander Berg"). */
function spell(words: readonly PrintedWord[], at: number, wanted: readonly string[]): number[] {
  const target = withoutLostF(wanted.join(""));
  if (target === "") return [];
  let read = "";
  for (let end = at; end < words.length; end++) {
    const { text, gap } = words[end] as PrintedWord;
    if (end > at && gap !== " " && gap !== "\n") return [];
    read += text;
    const found = withoutLostF(read);
    if (found === target) return [end + 1];
    if (found.length > target.length || read[0] !== wanted.join("")[0]) return [];
  }
  return [];
}

/** Some text layers lose an f next to f, i or l. */
function withoutLostF(text: string): string {
  return text.replace(/(?<=f)f|f(?=[fil])/g, "");
}
