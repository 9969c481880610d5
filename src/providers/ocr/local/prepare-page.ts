/**
 * Makes of a page's image what Tesseract reads best: dark on white, evenly lit, upright, its lines level, its letters of
 * a good size. Says what was done, so that boxes can be told in terms of the page as it came.
 */
import type { PageImage } from "../ocr-engine.ts";
import { chooseLetters, type Letters } from "./choose-letters.ts";
import { evenLight } from "./even-light.ts";
import { findInkLevel } from "./find-ink.ts";
import { findPose, type Pose } from "./find-pose.ts";
import { findShapes } from "./find-shapes.ts";
import { countLevels, type GreyImage, halve, invert, turn } from "./grey-image.ts";
import { readGrey, scaleGrey } from "./read-grey.ts";
import { resampleGrey } from "./resample-grey.ts";

export interface PreparedPage {
  image: GreyImage;
  /** Of the upright page before it was scaled and levelled, in points. */
  width: number;
  height: number;
  pose: Pose;
  /** How many letters the page seems to have; 0 for one not worth reading. */
  letters: number;
  /** Points per pixel of `image`. */
  pointsPerPixel: number;
}

/** Letters this small come out better enlarged, and larger than this cost time for nothing (measured on the scans). */
const smallLetters = 13;
const largeLetters = 48;
const goodLetters = 20;
const mostEnlarged = 3;
/** Tesseract follows lines that are off by less than this as well as level ones. */
const leastSkew = 0.3;
/** Shapes of larger images are looked for at half their size. */
const mostPixelsForShapes = 6_000_000;

export async function preparePage(page: PageImage): Promise<PreparedPage> {
  const { image, reduced } = await readGrey(page);
  if (isLightOnDark(image)) invert(image);
  evenLight(image);
  const letters = findLetters(image);
  const pose = findPose(letters);
  const upright = turn(image, pose.turn);
  const pointsPerPixel = (72 * reduced) / page.dpi;
  const size = { width: upright.width * pointsPerPixel, height: upright.height * pointsPerPixel };
  if (letters.count === 0) return { image: upright, ...size, pose, letters: 0, pointsPerPixel };

  const factor = chooseScale(letters.size);
  const skew = Math.abs(pose.skew) < leastSkew ? 0 : pose.skew;
  return {
    image: await reshape(upright, factor, -skew),
    ...size,
    pose: { ...pose, skew },
    letters: letters.count,
    pointsPerPixel: pointsPerPixel / factor,
  };
}

/** The same page turned on, for a second try. */
export function turnPrepared(page: PreparedPage, degrees: 90 | 180 | 270): PreparedPage {
  const onItsSide = degrees !== 180;
  return {
    ...page,
    image: turn(page.image, degrees),
    width: onItsSide ? page.height : page.width,
    height: onItsSide ? page.width : page.height,
    pose: { ...page.pose, turn: ((page.pose.turn + degrees) % 360) as Pose["turn"] },
  };
}

function isLightOnDark(image: GreyImage): boolean {
  const levels = countLevels(image);
  let darker = 0;
  for (let level = 0; level < 100; level++) darker += levels[level] as number;
  return darker > image.data.length * 0.6;
}

function findLetters(image: GreyImage): Letters {
  const halved = image.data.length > mostPixelsForShapes;
  const looked = halved ? halve(image) : image;
  const inkLevel = findInkLevel(countLevels(looked));
  const shapes = inkLevel === undefined ? undefined : findShapes(looked, inkLevel);
  const letters = chooseLetters(
    shapes ?? { count: 0, boxes: new Int32Array(), areas: new Int32Array() },
    Math.max(looked.width, looked.height),
  );
  return halved ? { ...letters, size: letters.size * 2 } : letters;
}

/** What is made smaller has its pixels averaged: mixing the nearest four would leave others out. */
async function reshape(image: GreyImage, factor: number, degrees: number): Promise<GreyImage> {
  const reduced = factor < 1 ? await scaleGrey(image, factor) : image;
  return factor <= 1 && degrees === 0 ? reduced : resampleGrey(reduced, Math.max(1, factor), degrees);
}

function chooseScale(letterSize: number): number {
  if (letterSize < smallLetters) return Math.min(mostEnlarged, goodLetters / letterSize);
  if (letterSize > largeLetters) return (goodLetters * 1.5) / letterSize;
  return 1;
}
