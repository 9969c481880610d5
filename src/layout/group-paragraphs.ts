/**
 * Groups the lines of a region, top to bottom, to paragraphs, list items and code. A new one begins where the leading
 * grows, the type changes, a line is indented or a marker stands, and where the line above ended early although the next
 * word would have fitted.
 */
import { confirmMarkers } from "./confirm-markers.ts";
import type { Line } from "./line.ts";
import { readsRightToLeft } from "./order-words.ts";
import { middleOf } from "./placed-word.ts";
import type { Marker } from "./read-marker.ts";
import { explainsTerm, explanationAt } from "./term-lines.ts";

export interface Group {
  kind: "paragraph" | "item" | "code" | "contents";
  lines: Line[];
  marker?: Marker;
  depth?: number;
}

interface Frame {
  left: number;
  right: number;
  /** Distance from line to line, in type sizes. */
  leading: number;
  slack: number;
  /** Of the page: larger lines are headings, whose lines may end anywhere. */
  bodySize: number;
  rightToLeft: boolean;
}

/**
 * `contents` tells which lines are of a table of contents, `alone` which are no part of any text. Recognised boxes
 * tremble: a gap must be clearer to count.
 */
export function groupParagraphs(
  lines: readonly Line[],
  { contents, alone }: { contents: readonly boolean[]; alone: readonly boolean[] },
  bodySize: number,
  noisy: boolean,
): Group[] {
  if (lines.length === 0) return [];
  const frame = frameOf(lines, bodySize, noisy);
  const markers = confirmMarkers(lines, (at) => at === 0 || standsApart(lines[at - 1], lines[at], frame));
  const groups: Group[] = [];
  const depths: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined) continue;
    const last = groups.at(-1);
    const marker = markers[i];
    if (contents[i]) groups.push({ kind: "contents", lines: [line], depth: depthOf(depths, line, frame, last) });
    else if (marker === undefined && isCode(line, lines[i + 1], last, frame)) {
      if (last?.kind === "code" && gapBetween(last.lines.at(-1), line) < line.size * 4) last.lines.push(line);
      else groups.push({ kind: "code", lines: [line] });
    } else if (marker !== undefined) {
      groups.push({ kind: "item", lines: [line], marker, depth: depthOf(depths, line, frame, last) });
    } else if (
      last !== undefined &&
      last.kind !== "code" &&
      last.kind !== "contents" &&
      !alone[i] &&
      !alone[i - 1] &&
      goesOn(last, line, lines[i + 1], frame)
    )
      last.lines.push(line);
    else groups.push({ kind: "paragraph", lines: [line] });
  }
  return groups;
}

/**
 * Monospaced, or a sign between two such lines. A paragraph's last line may be so too, where the one above had no room
 * for it.
 */
function isCode(line: Line, next: Line | undefined, last: Group | undefined, frame: Frame): boolean {
  const above = last?.lines.at(-1);
  if (!line.mono) {
    const isSign =
      last?.kind === "code" && next?.mono === true && !line.words.some((word) => /[\p{L}\p{N}]/u.test(word.text));
    return isSign && gapBetween(above, line) < line.size * 2;
  }
  if (above === undefined || last?.kind === "code" || last?.kind === "contents") return true;
  const level = Math.abs(line.x1 - above.x1) < line.size * 0.8 || last?.kind === "item";
  return !level || standsApart(above, line, frame) || !isFull(above, line, frame);
}

function frameOf(lines: readonly Line[], bodySize: number, noisy: boolean): Frame {
  const steps: number[] = [];
  for (let i = 1; i < lines.length; i++) {
    const above = lines[i - 1];
    const line = lines[i];
    if (above === undefined || line === undefined || Math.abs(above.size - line.size) > line.size * 0.15) continue;
    const step = stepBetween(above, line) / line.size;
    if (step > 0.7 && step < 3.2) steps.push(step);
  }
  const rights = Float64Array.from(lines, (line) => line.x2).sort();
  return {
    left: lines.reduce((left, line) => Math.min(left, line.x1), Number.POSITIVE_INFINITY),
    right: rights[Math.floor((rights.length - 1) * 0.95)] ?? 0,
    leading: steps.length > 0 ? middleOf(steps) : 1.25,
    slack: noisy ? 1.4 : 1.25,
    bodySize,
    rightToLeft: readsRightToLeft(lines.flatMap((line) => line.words)),
  };
}

function stepBetween(above: Line, line: Line): number {
  // Bottoms, since a line with raised marks reaches higher than it stands.
  return line.y2 - above.y2;
}

function gapBetween(above: Line | undefined, line: Line): number {
  return above === undefined ? 0 : line.y1 - above.y2;
}

function startOf(line: Line, frame: Frame): number {
  return frame.rightToLeft ? -line.x2 : line.x1;
}

function endOf(line: Line, frame: Frame): number {
  return frame.rightToLeft ? -line.x1 : line.x2;
}

function firstWordWidth(line: Line, frame: Frame): number {
  const word = frame.rightToLeft ? line.words.at(-1) : line.words[0];
  return word === undefined ? 0 : word.x2 - word.x1;
}

function isCentred(line: Line, frame: Frame): boolean {
  const before = line.x1 - frame.left;
  const behind = frame.right - line.x2;
  return before > line.size && behind > line.size && Math.abs(before - behind) < line.size * 1.5;
}

/** Both about the same middle, neither from edge to edge of the other. */
function areCentred(above: Line, line: Line, frame: Frame): boolean {
  if (isCentred(above, frame) && isCentred(line, frame)) return true;
  const apart = Math.abs(above.x1 + above.x2 - line.x1 - line.x2) / 2;
  const clearly = line.size > frame.bodySize * 1.05 ? 1.2 : 3;
  return apart < line.size * 0.4 && Math.abs(above.x1 - line.x1) > line.size * clearly;
}

/** By distance, face or an early end: signs that hold whatever the lines say. */
function standsApart(above: Line | undefined, line: Line | undefined, frame: Frame): boolean {
  if (above === undefined || line === undefined) return true;
  const step = stepBetween(above, line);
  const size = Math.max(line.size, above.size);
  if (step > size * frame.leading * frame.slack + 0.5) return true;
  if (step < -size) return true;
  if (Math.abs(above.size - line.size) > size * (frame.slack > 1.3 ? 0.3 : 0.12)) return true;
  if (above.bold !== line.bold && (above.bold ? !startsBold(line) : isHeadingFace(line, above))) return true;
  if (above.upright !== line.upright) return true;
  return endedEarly(above, line, frame);
}

function startsBold(line: Line): boolean {
  return line.words[0]?.bold === true;
}

function isHeadingFace(line: Line, above: Line): boolean {
  return line.bold && above.words.at(-1)?.bold !== true;
}

function endedEarly(above: Line, line: Line, frame: Frame): boolean {
  if (line.size > frame.bodySize * 1.3 && Math.abs(above.size - line.size) < 0.5) return false;
  if (areCentred(above, line, frame)) return false;
  const end = above.words.at(frame.rightToLeft ? 0 : -1)?.text ?? "";
  if (end.endsWith(",") && isSameFace(above, line) && above.size > frame.bodySize * 1.05) return false;
  const room = (frame.rightToLeft ? -frame.left : frame.right) - endOf(above, frame);
  const needed = firstWordWidth(line, frame) + line.size * 1.2;
  if (room < needed) return false;
  // Calls of a function, each on its own line.
  const calls = above.words[0]?.mono === true && line.words[0]?.mono === true;
  if (calls && room > needed + (frame.right - frame.left) * 0.1) return true;
  if (/[.!?:…。！？]["”’)\]]*$/u.test(end)) return true;
  return room > needed + (frame.right - frame.left) * 0.2 && !/^\p{Ll}/u.test(line.words[0]?.text ?? "");
}

function isSameFace(a: Line, b: Line): boolean {
  return Math.abs(a.size - b.size) < 0.5 && a.bold === b.bold && a.italic === b.italic;
}

function isFull(above: Line, line: Line, frame: Frame): boolean {
  const room = (frame.rightToLeft ? -frame.left : frame.right) - endOf(above, frame);
  return room < firstWordWidth(line, frame) + line.size && !/[.!?:;]$/.test(above.words.at(-1)?.text ?? "");
}

function goesOn(group: Group, line: Line, next: Line | undefined, frame: Frame): boolean {
  const above = group.lines.at(-1);
  if (above === undefined || standsApart(above, line, frame)) return false;
  const indent = startOf(line, frame) - startOf(above, frame);
  const em = line.size;
  if (areCentred(above, line, frame)) return true;
  if (group.kind === "paragraph" && isSameFace(above, line) && line.size > frame.bodySize * 1.13) return true;
  if (explainsTerm(group.lines[0], line)) return false;
  if (group.lines[0] !== undefined && Math.abs(line.x1 - (explanationAt(group.lines[0]) ?? Number.NaN)) < 1)
    return true;
  if (group.kind === "item") {
    const markerAt = group.lines[0] === undefined ? 0 : startOf(group.lines[0], frame);
    // A first line that is indented by its marker only has the others further out.
    if (startOf(line, frame) < markerAt - em * 0.6)
      return group.lines.length > 1 ? indent > -em * 0.4 : isFull(above, line, frame);
    // After a hanging line, one that begins under the marker is no part of the item.
    return group.lines.length === 1 || indent > -em * 0.8;
  }
  if (indent > em * 0.8) {
    // A hanging indent has its first line out: then all that follow are in.
    const hangs =
      group.lines.length === 1 &&
      next !== undefined &&
      Math.abs(startOf(next, frame) - startOf(line, frame)) < em * 0.4;
    return hangs && endOf(above, frame) > (frame.rightToLeft ? -frame.left : frame.right) - em * 3;
  }
  if (indent < -em * 0.8 && group.lines.length > 1) return false;
  return true;
}

function depthOf(depths: number[], line: Line, frame: Frame, last: Group | undefined): number {
  const x = startOf(line, frame);
  if (
    last?.kind !== "item" &&
    last?.kind !== "contents" &&
    (last === undefined || startOf(last.lines[0] ?? line, frame) <= x - line.size * 4)
  ) {
    depths.length = 0;
  }
  while (depths.length > 0 && (depths.at(-1) ?? 0) > x + line.size * 0.6) depths.pop();
  const top = depths.at(-1);
  if (top === undefined || x > top + line.size * 0.6) depths.push(x);
  return Math.min(depths.length - 1, 8);
}
