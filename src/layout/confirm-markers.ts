/**
 * Reads the markers of a region's lines and keeps those that make a list: "12." at the beginning of a line may be the
 * end of a sentence and "A." the beginning of a name, unless its neighbours in the sequence stand above or below.
 */
import type { Line } from "./line.ts";
import { orderWords } from "./order-words.ts";
import { type Marker, readMarker } from "./read-marker.ts";

interface Seen {
  at: number;
  x: number;
  marker: Marker;
}

/** For every line its marker, or undefined. `begins` tells whether a line stands apart from the one above anyway. */
export function confirmMarkers(lines: readonly Line[], begins: (at: number) => boolean): (Marker | undefined)[] {
  const seen: Seen[] = [];
  lines.forEach((line, at) => {
    const marker = line.mono && line.words[0]?.mono === true ? undefined : readMarker(orderWords(line.words));
    if (marker !== undefined) seen.push({ at, x: line.x1, marker });
  });
  const confirmed: (Marker | undefined)[] = new Array(lines.length).fill(undefined);
  seen.forEach((one, i) => {
    if (isConfirmed(one, i, seen, lines, begins)) confirmed[one.at] = one.marker;
  });
  return confirmed;
}

function isConfirmed(
  one: Seen,
  i: number,
  seen: Seen[],
  lines: readonly Line[],
  begins: (at: number) => boolean,
): boolean {
  if (one.marker.kind === "bullet") return true;
  const size = lines[one.at]?.size ?? 10;
  const near = [...seen.slice(Math.max(0, i - 8), i), ...seen.slice(i + 1, i + 9)].filter(
    (other) => other.marker.kind === one.marker.kind && Math.abs(other.x - one.x) < size * 1.5,
  );
  if (one.marker.kind === "dash") {
    const before = lines[one.at - 1]?.words.at(-1)?.text ?? "";
    return near.length > 0 || (before.endsWith(":") && begins(one.at));
  }
  const { ordinal = 0 } = one.marker;
  const inSequence = near.some((other) => Math.abs((other.marker.ordinal ?? 0) - ordinal) === 1);
  if (one.marker.kind === "letter") return inSequence;
  return inSequence || begins(one.at);
}
