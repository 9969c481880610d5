/** How long a batch may take, as people are told when they start one: by what was measured, or by experience until then. */

const guessedSeconds = { least: 15, most: 30 };
/** Others may be waiting too. */
const uncertainty = 2;

export function estimateTime(
  sheets: number,
  perBatch: number,
  { slots, meanRunMs }: { slots: number; meanRunMs: number | null },
): string {
  if (meanRunMs === null) return `${sheets * guessedSeconds.least}s - ${sheets * guessedSeconds.most}s`;
  const rounds = Math.ceil(sheets / Math.max(1, Math.min(perBatch, slots)));
  const least = Math.max(1, Math.ceil((rounds * meanRunMs) / 1_000));
  return `${least}s - ${least * uncertainty}s`;
}
