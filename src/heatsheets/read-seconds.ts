/** Reads a seed time: "1:05.32Y", "18:20.58", "01:24,17". Undefined for "NT" and whatever else is no time. */

const seedForm = /^(?:(?:(\d{1,2}):)?(\d{1,2})[:.])?(\d{1,2})[.,](\d{1,2}) ?[YLSM]?$/i;

export function readSeconds(seed: string): number | undefined {
  const found = seedForm.exec(seed.trim());
  if (!found) return undefined;
  const [, hours, minutes, seconds = "", fraction = ""] = found;
  if (minutes !== undefined && Number(seconds) >= 60) return undefined;
  if (hours !== undefined && Number(minutes) >= 60) return undefined;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds) + Number(`0.${fraction}`);
  // EasyWk prints 00:00,00 where nobody has entered a time.
  return total > 0 ? total : undefined;
}
