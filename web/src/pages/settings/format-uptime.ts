/** How long something has been up: "3 days 4 h", "5h 02m", "12m 34s". */
import { countOf, formatDuration } from "../../parts/format.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Clocks differ: what began in the future has just begun. */
export function formatUptime(startedAt: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(startedAt));
  if (ms < dayMs) return formatDuration(Math.max(ms, 1_000));
  return `${countOf(Math.floor(ms / dayMs), "day")} ${Math.floor((ms % dayMs) / hourMs)} h`;
}
