/** Words as Tesseract gives them, and what becomes of them: garbage left out, boxes in points on the upright page. */
import type { Word } from "../../../layout/page.ts";
import type { PreparedPage } from "./prepare-page.ts";
import { restoreBullets } from "./restore-bullets.ts";

/** Pixels of the prepared image. */
export interface FoundWord {
  text: string;
  /** 0 to 1. */
  confidence: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * What is as short as this and as doubtful is a stain or a piece of a picture. Longer words are kept however doubtful:
 * a confidence is that of the worst letter, and a long address with one letter wrong is worth having (measured: dropping
 * all words below 0.3 raises the error rate by a seventh).
 */
const shortLength = 2;
const leastForShort = 0.4;
/** Specks and ruled lines become dots and dashes, with middling confidence. */
const leastForSigns = 0.6;

export function placeWords(found: readonly FoundWord[], page: PreparedPage): Word[] {
  const { image, pose, pointsPerPixel } = page;
  const radians = (pose.skew * Math.PI) / 180;
  const cosine = Math.cos(radians);
  const sine = Math.sin(radians);
  const words: Word[] = [];
  for (const { text, confidence, left, top, right, bottom } of restoreBullets(found)) {
    if (!isWorthKeeping(text, confidence)) continue;
    // The middle of the page stayed where it was when the page was levelled; a word keeps its size around its own middle.
    const x = ((left + right - image.width) / 2) * pointsPerPixel;
    const y = ((top + bottom - image.height) / 2) * pointsPerPixel;
    const width = (right - left) * pointsPerPixel;
    const height = (bottom - top) * pointsPerPixel;
    const box = {
      x: page.width / 2 + x * cosine - y * sine - width / 2,
      y: page.height / 2 + x * sine + y * cosine - height / 2,
      width,
      height,
    };
    words.push({ text, box, confidence });
  }
  return words;
}

/** By characters: a long word counts for more than a speck. */
export function meanConfidence(found: readonly FoundWord[]): number {
  let sum = 0;
  let characters = 0;
  for (const { text, confidence } of found) {
    sum += confidence * text.length;
    characters += text.length;
  }
  return characters === 0 ? 0 : sum / characters;
}

function isWorthKeeping(text: string, confidence: number): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return confidence >= leastForSigns;
  return text.length > shortLength || confidence >= leastForShort;
}
