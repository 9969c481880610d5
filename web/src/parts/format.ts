/** Numbers, times and sizes as people read them. */

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const count = new Intl.NumberFormat("en");

export function formatCount(value: number): string {
  return count.format(value);
}

/** "1 page", "3 pages"; an irregular plural is given. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

/** A day of the calendar, YYYY-MM-DD, which has no time zone. */
export function formatDay(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

const minute = 60_000;
const steps = [
  { unit: "day", ms: 24 * 60 * minute },
  { unit: "hour", ms: 60 * minute },
  { unit: "minute", ms: minute },
] as const;

/** "5 min. ago", "in 2 hr.", "just now". */
export function formatAgo(iso: string, now = Date.now()): string {
  const ms = new Date(iso).getTime() - now;
  const step = steps.find(({ ms: size }) => Math.abs(ms) >= size);
  if (step) return relative.format(Math.trunc(ms / step.ms), step.unit);
  return Math.abs(ms) < 10_000 ? "just now" : relative.format(Math.trunc(ms / 1_000), "second");
}

/** "340 ms", "12.3 s", "12m 34s", "3h 05m". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.floor(ms / 1_000);
  if (ms < 60 * minute) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(seconds / 3_600)}h ${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}m`;
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

export function formatPercent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((part / whole) * 100)} %`;
}

/** "ocr_batch" → "OCR batch", "detect_connections" → "Detect connections". */
export function formatName(name: string): string {
  const words = name.replace(/[_.-]+/g, " ").replace(/\b(ocr|pdf|ai)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
