/** Tells what a line begins with when it is an item of a list. */
import type { PlacedWord } from "./placed-word.ts";

export interface Marker {
  /** What a list of this kind is written with: `-` or `3.`. */
  marker: string;
  kind: "bullet" | "dash" | "number" | "letter";
  /** The place in its sequence, where there is one. */
  ordinal?: number;
  /** What is left of the line without it. */
  words: PlacedWord[];
}

const bullets = "•◦▪▫●○■□‣⁃∙·◆◇❖➢➤►✓✔\uf0b7\uf0a7\uf0a8\uf076\uf0d8\uf0fc\u25aa\u2043";
const gluedBullet = new RegExp(`^[${bullets}](?=[\\p{L}\\p{N}("“])`, "u");
const loneBullet = new RegExp(`^[${bullets}]$`, "u");
const dash = /^[-–—*∗]$/;
const number = /^(\d{1,3})([.)])$/;
const bracketed = /^\((\d{1,3}|[a-z]|[ivx]{1,5})\)$/;
const letter = /^([a-zA-Z])[.)]$/;

export function readMarker(ordered: readonly PlacedWord[]): Marker | undefined {
  const first = ordered[0];
  if (first === undefined) return undefined;
  const { text } = first;
  if (gluedBullet.test(text)) {
    return { marker: "-", kind: "bullet", words: [{ ...first, text: text.slice(1) }, ...ordered.slice(1)] };
  }
  if (ordered.length < 2) return undefined;
  const rest = ordered.slice(1);
  if (loneBullet.test(text)) return { marker: "-", kind: "bullet", words: rest };
  if (dash.test(text)) return { marker: "-", kind: "dash", words: rest };
  const numbered = number.exec(text);
  if (numbered !== null) {
    return { marker: `${numbered[1]}${numbered[2]}`, kind: "number", ordinal: Number(numbered[1]), words: rest };
  }
  // Markdown has no such lists: the letter stays with the text.
  const inBrackets = bracketed.exec(text);
  const lettered = letter.exec(text);
  const sign = inBrackets?.[1] ?? lettered?.[1];
  if (sign === undefined) return undefined;
  const ordinal = /^\d/.test(sign) ? Number(sign) : sign.charCodeAt(0);
  return { marker: "-", kind: "letter", ordinal, words: ordered.slice() };
}
