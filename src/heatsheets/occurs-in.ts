/**
 * Whether a name stands in a text of any layout: with its words next to each other, in either order, also over the end of a
 * line. Words of the name that stand apart, as those of two other people do, are no occurrence.
 */
import { foldName, foldText } from "./fold-name.ts";
import { parseWanted } from "./match-name.ts";

export function occursIn(text: string, wanted: string): boolean {
  const patterns = listPatterns(parseWanted(wanted).name);
  if (patterns.length === 0) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?![\\p{L}\\p{N}])`, "u").test(readable(text));
}

/** Words, commas and single spaces or line ends; what else there is stays as a dot between them. */
function readable(text: string): string {
  return foldText(text.replaceAll("\r", "\n").replace(/(?<=\p{L})[-\u00ad]\n/gu, ""))
    .replaceAll("*", " ")
    .replace(/(?<=\p{L})\.(?=[\s,])/gu, "")
    .replace(/[^\p{L}\p{N},\s]+/gu, ".")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n");
}

function listPatterns(name: string): string[] {
  const { given, last } = foldName(name);
  if (last.length > 0) return listOrders(given, last);
  if (given.length === 0) return [];
  if (given.length === 1) return [spell(given)];
  return given.slice(1).flatMap((_word, index) => {
    const [before, after] = [given.slice(0, index + 1), given.slice(index + 1)];
    // The other way round only with a comma that says so: in lists, anybody's surname is followed by the next first name.
    return [...listOrders(before, after), `${spell(before)}${comma}${spell(after)}`];
  });
}

const between = "[ \\n]";
const comma = `${between}?,${between}?`;
const suffix = "(?: (?:jr|sr|ii|iii|iv))?";
/** Initials, or one middle name, that the wanted name does not have. */
const anyMiddle = "(?:(?: \\p{L}){1,2}| \\p{L}+)?";

function listOrders(given: string[], last: string[]): string[] {
  const [first = "", ...middles] = given;
  const own = middles.map((word) => `(?:${between}(?:${spell([word])}|${[...word][0]}))?`).join("");
  const surname = spell(last);
  const spoken = `${spell([first])}${middles.length > 0 ? own : anyMiddle}`;
  return [
    `${spoken} ${surname}`,
    // Not the end of "Smith, Jane" and the beginning of "Doe, Mary" on the next line.
    `(?<!,${between}?)${spoken}\\n${surname}(?!${between}?,)`,
    `${surname}${suffix}(?:${comma}| )${spell([first])}`,
    // A first name of two words may be printed as one.
    ...(middles.length > 0 ? [`${surname}${suffix}(?:${comma}| )${spell(given)}`] : []),
  ];
}

/** Where words are one or several is a matter of taste ("Vander Berg"), and some text layers lose an f next to f, i or l. */
function spell(words: string[]): string {
  const letters = [...words.join("")];
  return letters
    .map((letter, index) => {
      const isLost = letter === "f" && (/[fil]/.test(letters[index + 1] ?? "") || letters[index - 1] === "f");
      return isLost ? "f?" : letter;
    })
    .join(`${between}?`);
}
