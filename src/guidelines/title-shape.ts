/** The shape of a title: short, begun with a capital, and no sentence, caption, address or row of figures. */
import { wordsOf } from "./fold-words.ts";

const caption =
  /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)|photo|picture|image|plate|map|chart|listing) ?[\d.:(]|^(?:photo|picture|image|source|note|nb|credit)s?[.:]|^see also\b|^images?\/|^(?:next|previous|parent) (?:topic|page|chapter|section|lesson)\b|^(?:contributed|written|drawn|photographed|adapted) by\b/i;
const address = /https?:|www\.|@|\.(?:png|jpe?g|svg|html?)\b/i;
const code = /[{}[\]$\\;<>|]|[=+*/^]{1,2} |\(\)|->|::|_\w|^[-#$>]/;

export function isTitle(text: string): boolean {
  const words = text.split(" ");
  if (text.length < 3 || text.length > 90 || words.length > 13) return false;
  if (!/^["'“‘(¿]?(?:\p{Lu}|\p{N})/u.test(text) && !/^\p{Lo}/u.test(text)) return false;
  if (/[.,;:]$/.test(text) && !/\b(?:etc|al|[A-Z])\.$/.test(text)) return false;
  if (caption.test(text) || address.test(text) || code.test(text)) return false;
  if (/[.!?] \p{Lu}/u.test(text)) return false;
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  return letters >= 3 && letters >= text.length * 0.5;
}

/** Mostly capitals, and more than an abbreviation. */
export function isUpper(text: string): boolean {
  const letters = text.replace(/[^\p{L}]/gu, "");
  if (letters.length < 4) return false;
  const large = letters.replace(/[^\p{Lu}]/gu, "").length;
  return large >= letters.length * 0.85;
}

/** Most words but the small ones of grammar begin with a capital. */
export function isTitleCase(text: string): boolean {
  const words = wordsOf(text).filter((word) => word.length > 3);
  const large = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return words.length > 0 && large >= words.length * 0.7;
}
