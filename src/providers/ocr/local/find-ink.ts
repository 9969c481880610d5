/** At which level ink parts from paper (Otsu's method), or undefined when a page shows no two such levels. */
const leastContrast = 48;

export function findInkLevel(levels: Uint32Array): number | undefined {
  let total = 0;
  let sum = 0;
  for (let level = 0; level < 256; level++) {
    total += levels[level] as number;
    sum += level * (levels[level] as number);
  }
  let best = -1;
  let inkLevel: number | undefined;
  let darkCount = 0;
  let darkSum = 0;
  for (let level = 0; level < 255; level++) {
    darkCount += levels[level] as number;
    darkSum += level * (levels[level] as number);
    if (darkCount === 0) continue;
    if (darkCount === total) break;
    const contrast = (sum - darkSum) / (total - darkCount) - darkSum / darkCount;
    const variance = darkCount * (total - darkCount) * contrast * contrast;
    if (variance <= best) continue;
    best = variance;
    inkLevel = contrast >= leastContrast ? level : undefined;
  }
  return inkLevel;
}
