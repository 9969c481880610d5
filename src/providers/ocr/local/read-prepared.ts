/**
 * Has a prepared page recognised, by whichever engine, and a second time turned when the first try reads like text that
 * lies wrong: the form of the letters alone cannot tell capitals or a few words from their mirror image.
 */
import type { RecognisedPage } from "../ocr-engine.ts";
import { type FoundWord, meanConfidence, placeWords } from "./place-words.ts";
import { type PreparedPage, turnPrepared } from "./prepare-page.ts";

const goodConfidence = 0.65;
/** A pose surer than this is not doubted, however badly the page reads. */
const sureCertainty = 1.3;
/** With fewer letters the page may as well lie on its side. */
const fewLetters = 60;

export async function readPrepared(
  page: PreparedPage,
  recognise: (page: PreparedPage) => FoundWord[] | Promise<FoundWord[]>,
): Promise<RecognisedPage> {
  if (page.letters === 0) return describe(page, [], true);
  let best = { page, found: await recognise(page) };
  for (const degrees of turnsToTry(page)) {
    if (meanConfidence(best.found) >= goodConfidence) break;
    const turned = turnPrepared(page, degrees);
    const found = await recognise(turned);
    if (meanConfidence(found) > meanConfidence(best.found)) best = { page: turned, found };
  }
  return describe(best.page, best.found, false);
}

function turnsToTry({ letters, pose }: PreparedPage): (90 | 180 | 270)[] {
  if (letters < fewLetters) return [180, 90, 270];
  return pose.certainty < sureCertainty ? [180] : [];
}

function describe(page: PreparedPage, found: readonly FoundWord[], blank: boolean): RecognisedPage {
  const { width, height, pose } = page;
  return { words: placeWords(found, page), width, height, turned: pose.turn, skew: pose.skew, blank };
}
