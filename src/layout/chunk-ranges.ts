/**
 * Decides which atoms form a chunk. Sections large enough stand for themselves, so their chunks do not depend on the text
 * before them; small ones are gathered with their neighbours under the same heading. Where a long text must be cut, the
 * text around the cut decides and not the distance from its start: after an edit the cuts soon fall in the same places again.
 */
import { type Atom, borders } from "./chunk-atoms.ts";
import type { Section, SectionTree } from "./chunk-sections.ts";

export interface AtomRange {
  from: number;
  to: number;
}

interface RangeOptions {
  /** Of a chunk. */
  maxTokens: number;
  /** By how much a chunk may be larger when a heading without text is put in front of it. */
  slackTokens: number;
}

export function chooseRanges(markdown: string, tree: SectionTree, options: RangeOptions): AtomRange[] {
  const { atoms } = tree;
  const { maxTokens, slackTokens } = options;
  /** Below it a section is gathered with its neighbours. */
  const smallTokens = maxTokens * 0.4;
  /** Below it a remainder is put in front of what follows, or behind what precedes it. */
  const tinyTokens = maxTokens / 10;
  const sums = sumTokens(atoms);
  const tokensOf = (from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0);
  const ranges: AtomRange[] = [];

  layOut(tree.root, tree.root.from);
  return ranges;

  /** The chunks of a section, from an atom that may stand before it: a heading it inherited. */
  function layOut(section: Section, from: number): void {
    if (tokensOf(from, section.to) <= maxTokens + (from < section.from ? slackTokens : 0)) {
      emit(from, section.to);
      return;
    }
    const first = ranges.length;
    const own = { from: section.from, to: section.ownTo, section: undefined, hasText: section.hasText };
    const children = section.children.map((child) => ({
      from: child.from,
      to: child.to,
      section: child,
      hasText: true,
    }));
    let gathered = from;
    for (const item of [own, ...children]) {
      const isHeadingOnly = item === own && !item.hasText;
      if (isHeadingOnly || tokensOf(item.from, item.to) < smallTokens) continue;
      const start = emitGathered(gathered, item.from);
      if (item.section) layOut(item.section, start);
      else cutText(start, item.to);
      gathered = item.to;
    }
    const last = ranges.at(-1);
    const rest = tokensOf(gathered, section.to);
    if (last && ranges.length > first && rest < tinyTokens && tokensOf(last.from, section.to) <= maxTokens) {
      last.to = section.to;
    } else cutText(gathered, section.to);
  }

  /** Emits small sections before a large one; returns where the large one starts, with the remainder in front of it. */
  function emitGathered(from: number, to: number): number {
    if (from === to || tokensOf(from, to) < tinyTokens) return from;
    cutText(from, to);
    return to;
  }

  function cutText(from: number, to: number): void {
    let start = from;
    while (tokensOf(start, to) > maxTokens) {
      const cut = chooseCut(start, to);
      emit(start, cut);
      start = cut;
    }
    emit(start, to);
  }

  function chooseCut(from: number, to: number): number {
    const rest = tokensOf(from, to);
    const least = Math.min(maxTokens * 0.6, rest * 0.4);
    const most = Math.min(maxTokens, Math.max(rest - maxTokens / 4, least));
    let best = -1;
    let bestHash = 0;
    let fallback = from + 1;
    for (let at = from + 1; at < to; at++) {
      const tokens = tokensOf(from, at);
      if (tokens > maxTokens) break;
      const { border } = atoms[at] as Atom;
      if (border > borders.none || fallback === from + 1) fallback = at;
      // Small sections lie between headings: one of those is taken also where it comes early.
      const early = border >= borders.heading ? Math.min(least, maxTokens / 2) : least;
      if (tokens < early || tokens > most || border < borders.sentence) continue;
      const bestBorder = best < 0 ? borders.none : (atoms[best] as Atom).border;
      const hash = hashText(markdown, (atoms[at] as Atom).start);
      if (border > bestBorder || (border === bestBorder && hash < bestHash)) {
        best = at;
        bestHash = hash;
      }
    }
    return best < 0 ? fallback : best;
  }

  function emit(from: number, to: number): void {
    if (from < to) ranges.push({ from, to });
  }
}

function sumTokens(atoms: Atom[]): number[] {
  const sums = [0];
  for (const [i, atom] of atoms.entries()) sums.push((sums[i] as number) + atom.tokens);
  return sums;
}

const hashedChars = 48;

/** FNV-1a over the first characters of an atom; its leading white space does not count. */
function hashText(markdown: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start, left = hashedChars; at < markdown.length && left > 0; at++) {
    const code = markdown.charCodeAt(at);
    if (code <= 0x20) continue;
    hash = Math.imul(hash ^ code, 0x01000193);
    left--;
  }
  return hash >>> 0;
}
