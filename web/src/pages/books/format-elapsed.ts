/** "34s", "12m 34s", "3h 05m": whole seconds, so that nothing flickers while it counts. A clock that goes wrong gives "0s". */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const pad = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3_600)}h ${pad(Math.floor(seconds / 60) % 60)}m`;
}
