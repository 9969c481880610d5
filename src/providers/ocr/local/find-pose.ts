/**
 * How a page lies: which quarter turn and which small angle bring its lines level. Letters of a line stand on one line
 * with their feet, while their heads are at two heights or three; so of the four edges of all letters, projected along the
 * lines, the feet gather most sharply. Needs no recognition and takes a few milliseconds.
 */
import type { Letters } from "./choose-letters.ts";

export interface Pose {
  /** By how many degrees, clockwise, the page must be turned to stand upright. */
  turn: 0 | 90 | 180 | 270;
  /** By how many degrees its lines sink to the right once it stands upright. */
  skew: number;
  /** How much more the feet gather than the heads; near 1 it may be upside down after all. */
  certainty: number;
}

const steepest = 10;
/** Fewer letters say nothing sure. */
const enoughLetters = 24;
/** A turn must be this much better than none: text stands upright far more often than not. */
const turnMargin = 1.3;
const sideMargin = 1.3;

export function findPose(letters: Letters): Pose {
  if (letters.left.length < enoughLetters) return { turn: 0, skew: 0, certainty: 1 };
  const { left, top, right, bottom, size } = letters;
  const middle = (one: Float64Array, other: Float64Array) =>
    one.map((value, at) => (value + (other[at] as number)) / 2);
  const across = middle(left, right);
  const down = middle(top, bottom);

  const level = sharpest([bottom, top], across, size);
  const upright = sideways([right, left], down, size, level.score);
  const [feet, heads] = upright ? upright.edges : [bottom, top];
  const { angle } = upright ?? level;
  const along = upright ? down : across;
  const feetScore = gather(feet as Float64Array, along, angle, size / 8);
  const headScore = gather(heads as Float64Array, along, angle, size / 8);
  if (upright) {
    // Feet on the right: the page's top is at its left.
    return feetScore >= headScore
      ? { turn: 90, skew: -angle, certainty: feetScore / headScore }
      : { turn: 270, skew: -angle, certainty: headScore / feetScore };
  }
  return headScore > feetScore * turnMargin
    ? { turn: 180, skew: angle, certainty: headScore / feetScore }
    : { turn: 0, skew: angle, certainty: feetScore / headScore };
}

function sideways(edges: Float64Array[], along: Float64Array, size: number, levelScore: number) {
  const found = sharpest(edges, along, size);
  return found.score > levelScore * sideMargin ? { edges, angle: found.angle } : undefined;
}

/** The angle at which one of the edges gathers best, in two rounds: half degrees, then twentieths around the best. */
function sharpest(edges: Float64Array[], along: Float64Array, size: number): { angle: number; score: number } {
  let best = { angle: 0, score: 0 };
  const look = (from: number, to: number, step: number, bin: number) => {
    best = { ...best, score: 0 };
    for (let angle = from; angle <= to + step / 2; angle += step) {
      const score = Math.max(...edges.map((edge) => gather(edge, along, angle, bin)));
      if (score > best.score) best = { angle, score };
    }
  };
  look(-steepest, steepest, 0.25, size / 3);
  look(best.angle - 0.3, best.angle + 0.3, 0.05, size / 5);
  return best;
}

/** How much the edges gather in few places when seen along lines at `angle`: the share of pairs that fall together. */
function gather(edge: Float64Array, along: Float64Array, angle: number, bin: number): number {
  const slope = Math.tan((angle * Math.PI) / 180);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const places = edge.map((value, at) => {
    const place = (value - (along[at] as number) * slope) / bin;
    least = Math.min(least, place);
    most = Math.max(most, place);
    return place;
  });
  const counts = new Float64Array(Math.ceil(most - least) + 3);
  for (const place of places) {
    const from = place - least;
    const at = Math.floor(from);
    // Shared between neighbours, so that the border of a bin does not matter.
    counts[at] = (counts[at] as number) + 1 - (from - at);
    counts[at + 1] = (counts[at + 1] as number) + (from - at);
  }
  let pairs = 0;
  for (const count of counts) pairs += count * count;
  return pairs / (edge.length * edge.length);
}
