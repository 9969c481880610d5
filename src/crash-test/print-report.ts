/** The report of a run as a person reads it. */
import type { CrashReport } from "./run-crash-test.ts";

const shownPerPromise = 10;

export function printReport(report: CrashReport): string {
  const { seed, durationMs, workers, server, actions, jobs, events, looks, promises, violations, kept } = report;
  const lines = [
    `Crash test: seed ${seed}, ${durationMs / 1_000} s, ${workers} workers, ${server}`,
    "",
    "Done on purpose",
    ...Object.entries(actions)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, count]) => `  ${String(count).padStart(5)}  ${name}`),
    "",
    "Jobs",
    ...Object.entries(jobs).map(([kind, states]) => `  ${kind.padEnd(16)} ${describe(states)}`),
    `  ${events} events; ${looks} looks at the running jobs`,
    "",
    "Promises",
  ];
  for (const { promise, violations: found } of promises) {
    lines.push(`  ${found.length === 0 ? "✓" : "✗"} ${promise}${found.length === 0 ? "" : ` (${found.length})`}`);
    for (const what of found.slice(0, shownPerPromise)) lines.push(`      ${what.trim().replaceAll("\n", "\n      ")}`);
    if (found.length > shownPerPromise) lines.push(`      … and ${found.length - shownPerPromise} more`);
  }
  lines.push(
    "",
    violations === 0 ? "Every promise was kept." : `${violations} violations. Run it again with --seed ${seed}.`,
  );
  if (kept) lines.push(`The evidence is in ${kept}`);
  return lines.join("\n");
}

function describe(states: Record<string, number>): string {
  return Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(", ");
}
