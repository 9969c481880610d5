/** Makes the blocks of one region: its tables and, between them, its paragraphs, each told by its face and words. */
import type { Block, TableBlock, TextBlock } from "./blocks.ts";
import { findContentsLines, shortenLeaders } from "./contents-lines.ts";
import { edgesToBox } from "./edges-to-box.ts";
import { fillAlignedTable } from "./fill-aligned-table.ts";
import { findAlignedTables } from "./find-aligned-tables.ts";
import { findApartLines } from "./find-apart-lines.ts";
import type { Stroke } from "./find-grids.ts";
import { findRunningLines } from "./find-running-lines.ts";
import { type Group, groupParagraphs } from "./group-paragraphs.ts";
import { joinRows } from "./join-rows.ts";
import type { KnownWords } from "./known-words.ts";
import { boundsOf, type Line, prevailingSize } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";
import { isCaption, looksNumbered, mayBeHeading, startsLikeFootnote } from "./text-kinds.ts";
import { writeCode } from "./write-code.ts";
import { writeInline } from "./write-inline.ts";

interface RegionContext {
  /** Of most of the page. */
  bodySize: number;
  /** Recognised words: sizes and places tremble. */
  noisy: boolean;
  pageHeight: number;
  horizontals: Stroke[];
  known: KnownWords;
}

export function arrangeRegion(pieces: Line[], ruled: readonly TableBlock[], context: RegionContext): Block[] {
  const lines = joinRows(pieces);
  const alone = findRunningLines(lines, context.pageHeight);
  const contents = findContentsLines(lines).map((is, at) => is && !alone[at]);
  const blocks: Block[] = [];
  let from = 0;
  const writeText = (to: number): void => {
    const told = { contents: contents.slice(from, to), alone: alone.slice(from, to) };
    const groups = groupParagraphs(lines.slice(from, to), told, context.bodySize, context.noisy);
    for (const group of groups) blocks.push(blockOf(group, context));
    from = to;
  };
  const stops = [
    ...findAlignedTables(lines, findApartLines(lines, { contents, alone }, context.bodySize), context.horizontals).map(
      (table) => ({
        at: table.from,
        to: table.to,
        block: fillAlignedTable(table, lines),
      }),
    ),
    ...ruled.map((block) => {
      const middle = block.box.y + block.box.height / 2;
      const at = lines.findIndex((line) => (line.y1 + line.y2) / 2 > middle);
      return { at: at < 0 ? lines.length : at, to: at < 0 ? lines.length : at, block };
    }),
  ].sort((a, b) => a.at - b.at || a.block.box.y - b.block.box.y);
  for (const stop of stops) {
    if (stop.at > from) writeText(stop.at);
    blocks.push(stop.block);
    from = Math.max(from, stop.to);
  }
  writeText(lines.length);
  return blocks;
}

function blockOf(group: Group, context: RegionContext): TextBlock {
  const words = group.lines.flatMap((line) => line.words);
  const fontSize = prevailingSize(words);
  const bold = group.lines.every((line) => line.bold);
  const base = { box: edgesToBox(boundsOf(group.lines)), fontSize, bold };
  if (group.kind === "code") return { kind: "code", text: writeCode(group.lines), ...base };
  const lines = group.lines.map((line) => line.words);
  if (group.kind === "contents") {
    const text = writeInline(lines.map(shortenLeaders), { emphasis: false });
    return { kind: "list_item", text, ...base, depth: group.depth ?? 0, marker: "-" };
  }
  const joined: string[] = [];
  const { known } = context;
  const write = (from: readonly PlacedWord[][], emphasis: boolean) => {
    joined.length = 0;
    const text = writeInline(from, { emphasis, known, joined });
    return { text, ...base, ...(joined.length > 0 && { joined: joined.slice() }) };
  };
  if (group.kind === "item" && group.marker !== undefined) {
    const { marker, kind, words: rest } = group.marker;
    const item = write([rest, ...lines.slice(1)], true);
    if (kind === "number" && isHeading(`${marker} ${item.text}`, group, base, context))
      return { kind: "heading", ...write(lines, false) };
    return { kind: "list_item", ...item, depth: group.depth ?? 0, marker };
  }
  const plain = write(lines, false);
  if (isHeading(plain.text, group, base, context)) return { kind: "heading", ...plain };
  return { kind: kindOf(plain.text, group, base, context), ...write(lines, true) };
}

function isHeading(
  text: string,
  group: Group,
  face: { fontSize: number; bold: boolean },
  context: RegionContext,
): boolean {
  if (group.lines.length > 4 || !mayBeHeading(text) || group.lines.some((line) => line.upright)) return false;
  if (isCaption(text, face.fontSize <= context.bodySize)) return false;
  const larger = face.fontSize / Math.max(context.bodySize, 1);
  if (larger >= (context.noisy ? 1.3 : 1.13)) return true;
  if (group.lines.length > 2) return false;
  if (face.bold) return larger >= 0.88 && text.length < 140 && !/\.$/.test(text.replace(/^[\d.]+/, ""));
  return larger >= 0.98 && looksNumbered(text) && isCapitals(text) && text.length < 100;
}

function isCapitals(text: string): boolean {
  return /\p{Lu}{3}/u.test(text) && !/\p{Ll}{2}/u.test(text);
}

function kindOf(
  text: string,
  group: Group,
  face: { fontSize: number; bold: boolean },
  context: RegionContext,
): TextBlock["kind"] {
  const small = face.fontSize < context.bodySize * 0.93;
  if (isCaption(text, small || face.bold || group.lines.every((line) => line.italic))) return "caption";
  const top = group.lines[0]?.y1 ?? 0;
  if (small && !context.noisy && top > context.pageHeight * 0.55 && startsLikeFootnote(text)) return "footnote";
  return "paragraph";
}
