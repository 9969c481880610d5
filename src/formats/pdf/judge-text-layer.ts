/**
 * Whether a page's own text can stand for the page, or the page must be looked at (OCR). A page with nothing on it needs
 * neither; what OCR has laid over a scan before is used when it reads like language.
 */
import type { Word } from "../../layout/page.ts";
import type { WordsRead } from "./read-words.ts";
import type { PageSurvey } from "./survey-page.ts";

export interface JudgedText {
  words: Word[];
  needsOcr: boolean;
}

/** Fewer characters beside a page-filling image are a stamp or a page number on a scan. */
const stampCharacters = 80;
const pageFilling = 0.6;
const pictured = 0.08;
/** Good OCR reaches 0.97, of a bad newspaper 0.88, of handwriting 0.33. */
const likelyLanguage = 0.75;
/** About forty letters drawn as outlines. */
const outlinedCurves = 400;

export function judgeTextLayer(read: WordsRead, survey: PageSurvey): JudgedText {
  const { words, invisible, characters, debris } = read;
  const hasPicture = survey.imageCover >= pictured || survey.curves >= outlinedCurves;
  if (characters > 0 && debris > 0.2 * characters) return { words, needsOcr: true };

  if (survey.textCovered && survey.imageCover >= pageFilling) return judgeOcr([...words, ...invisible], hasPicture);

  const visible = words.reduce((sum, word) => sum + word.text.length, 0);
  if (visible >= stampCharacters || (visible > 0 && survey.imageCover < pageFilling)) {
    // Invisible words among visible ones double them, or say what a picture says.
    const added = invisible.filter((word) => !words.some((other) => overlaps(word, other)));
    return { words: [...words, ...added], needsOcr: false };
  }
  return judgeOcr([...words, ...invisible], hasPicture, invisible);
}

/** What OCR has read before, with or without a visible stamp. */
function judgeOcr(words: Word[], hasPicture: boolean, read: readonly Word[] = words): JudgedText {
  return { words, needsOcr: hasPicture && !readsLikeLanguage(read) };
}

/** Words of letters, and numbers: bad OCR is a litter of signs, single letters and letters among digits. */
function readsLikeLanguage(words: readonly Word[]): boolean {
  let good = 0;
  let all = 0;
  for (const { text } of words) {
    all += text.length;
    const core = text.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, "");
    const isWord =
      /^[\p{L}\p{M}]+(?:['’.-][\p{L}\p{M}]+)*$/u.test(core) &&
      (core.length > 1 || /^[aAIOoyeu]$|\P{ASCII}/u.test(core));
    const isNumber = /^\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|%)?$/.test(core);
    if ((isWord && hasNaturalCase(core)) || isNumber) good += text.length;
  }
  return all > 0 && good / all >= likelyLanguage;
}

function hasNaturalCase(word: string): boolean {
  return !/\p{Ll}\p{Lu}/u.test(word) || /^(?:Mc|Mac|De|La|Le|O['’])?\p{Lu}\p{Ll}+$/u.test(word);
}

function overlaps({ box: one }: Word, { box: other }: Word): boolean {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0.3 * one.width && height > 0.3 * one.height;
}
