/**
 * What a cosine means with a model. Two numbers fix the scale: up to `unrelated` the strength is 0, at `related` it is
 * 0.7, at 1 it is 1; between them it is linear.
 */
export interface Calibration {
  /** What two passages on different subjects have at most, as a rule. */
  unrelated: number;
  /** From where on a reader would call two passages related. */
  related: number;
}

const relatedStrength = 0.7;

/**
 * Rules of thumb, not measurements of ours: a deployment that has measured its own model configures it. With OpenAI's
 * models of the third generation different subjects usually lie below 0.25 and the same subject in other words at 0.4 to
 * 0.6. Ada puts everything between about 0.68 and 1. Most open models (nomic, bge, gte, jina) lie between the two.
 */
const knownModels: [pattern: RegExp, calibration: Calibration][] = [
  [/text-embedding-3/i, { unrelated: 0.2, related: 0.5 }],
  [/ada-002/i, { unrelated: 0.74, related: 0.82 }],
];
const unknownModel: Calibration = { unrelated: 0.4, related: 0.65 };

export function calibrationOf(model: string): Calibration {
  return knownModels.find(([pattern]) => pattern.test(model))?.[1] ?? unknownModel;
}

export function strengthOf(cosine: number, { unrelated, related }: Calibration): number {
  if (!(cosine > unrelated)) return 0;
  if (cosine >= 1) return 1;
  return cosine < related
    ? (relatedStrength * (cosine - unrelated)) / (related - unrelated)
    : relatedStrength + ((1 - relatedStrength) * (cosine - related)) / (1 - related);
}
