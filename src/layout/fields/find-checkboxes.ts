/**
 * Finds boxes to tick with their labels: `☐ Yes ☑ No`, `[x] Urgent`, `Urgent [ ]`. Signs that also serve as bullets count
 * only on a page that has an unmistakable box too.
 */
import type { Word } from "../page.ts";
import type { Pair } from "./pair.ts";
import { type Row, type Segment, textOf } from "./read-rows.ts";

const empty = new Set(["☐", "□", "▢", "❏", "❑", "[]", "[ ]", "[_]"]);
const ticked = new Set(["☑", "☒", "🗹", "🗷", "[x]", "[X]", "[✓]", "[✔]", "[*]", "(x)", "(X)"]);
const bullets = new Set(["■", "▪", "✓", "✔", "✗", "✘", "●", "◼"]);
const longestLabel = 10;

interface Tick {
  words: Word[];
  checked: boolean;
}

type Item = { tick: Tick } | { word: Word };

export interface Checkboxes {
  pairs: Pair[];
  /** The segments they were found in, which hold no other labels. */
  segments: ReadonlySet<Segment>;
}

export function findCheckboxes(rows: readonly Row[]): Checkboxes {
  const real = rows.some((row) =>
    row.segments.some((segment) => readItems(segment.words, false).some((item) => "tick" in item)),
  );
  const pairs: Pair[] = [];
  const segments = new Set<Segment>();
  if (!real) return { pairs, segments };
  for (const row of rows) {
    const parts = row.segments.map((segment) => ({ segment, items: readItems(segment.words, true) }));
    if (!parts.some((part) => part.items.some((item) => "tick" in item))) continue;
    const first = parts[0]?.items[0];
    const labelFollows = first !== undefined && "tick" in first;
    for (const found of labelTicks(parts, labelFollows)) {
      for (const segment of found.segments) segments.add(segment);
      pairs.push(found.pair);
    }
  }
  return { pairs, segments };
}

function labelTicks(
  parts: { segment: Segment; items: Item[] }[],
  labelFollows: boolean,
): { pair: Pair; segments: Segment[] }[] {
  const flat = parts.flatMap(({ segment, items }) => items.map((item) => ({ item, segment })));
  const found: { pair: Pair; segments: Segment[] }[] = [];
  for (const [index, { item, segment }] of flat.entries()) {
    if (!("tick" in item)) continue;
    const side = labelFollows ? flat.slice(index + 1) : flat.slice(0, index).reverse();
    const end = side.findIndex((other) => "tick" in other.item);
    const free = end === -1 ? side : side.slice(0, end);
    const home = free[0]?.segment;
    // A label is one piece: what stands across a gap from it is another column's.
    const own = free.filter((other) => other.segment === home);
    const words = own.flatMap((other) => ("word" in other.item ? [other.item.word] : []));
    const label = textOf(labelFollows ? words : words.reverse()).replace(/[\s:.,_]+$/, "");
    if (!home || words.length > longestLabel || !/[\p{L}\d]/u.test(label)) continue;
    found.push({ pair: makeTickPair(label, item.tick), segments: [segment, home] });
  }
  return found;
}

function makeTickPair(label: string, tick: Tick): Pair {
  return {
    label,
    value: tick.checked ? "checked" : "unchecked",
    valueWords: tick.words,
    sign: "checkbox",
    notions: [],
    recognised: { shape: "checkbox", kind: "checkbox", normalized: `${tick.checked}` },
    prose: false,
    contrast: true,
    support: 1,
  };
}

function readItems(words: readonly Word[], withBullets: boolean): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word) break;
    // Brackets in the middle of a line are an empty list, a range or a reference.
    const opened = index === 0 || items.some((item) => "tick" in item);
    const run = [1, 2, 3]
      .map((count) => words.slice(index, index + count))
      .find((part) => isTick(part, withBullets) && (opened || !/^[[(]/.test(word.text)));
    if (run) {
      const sign = run.map((part) => part.text).join("");
      items.push({ tick: { words: run, checked: !empty.has(sign) } });
      index += run.length - 1;
      continue;
    }
    const glued = /^([☐□▢❏❑☑☒🗹🗷])(.+)$/u.exec(word.text);
    if (glued?.[1] && glued[2]) {
      items.push({ tick: { words: [word], checked: !empty.has(glued[1]) } }, { word: { ...word, text: glued[2] } });
      continue;
    }
    items.push({ word });
  }
  return items;
}

function isTick(words: readonly Word[], withBullets: boolean): boolean {
  const sign = words.map((word) => word.text).join("");
  if (words.length > 1 && !/^[[(]/.test(sign)) return false;
  return empty.has(sign) || ticked.has(sign) || (withBullets && words.length === 1 && bullets.has(sign));
}
