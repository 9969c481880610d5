/**
 * Drops pairs that are lines of a listing and no fields: a table of contents, an index, rows of a table, program code. What
 * a known label says stays. Also counts for each pair how many others have their values in the same column, when at least
 * one of them is known or has a shape.
 */
import type { Block } from "../blocks.ts";
import type { Box } from "../page.ts";
import type { Pair } from "./pair.ts";
import { boxOf } from "./read-rows.ts";

const alignedWithin = 4;

export function dropListings(pairs: readonly Pair[], blocks: readonly Block[]): Pair[] {
  const tables = blocks.filter(isWideTable).map((block) => block.box);
  const code = blocks.filter((block) => block.kind === "code").map((block) => block.box);
  const contents = findContents(pairs);
  const isListed = (pair: Pair, box: Box) =>
    contents.has(pair) ||
    code.some((area) => holds(area, box)) ||
    // Forms are drawn as tables too: there a colon or a label above still means what it says.
    ((pair.sign === "gap" || pair.sign === "leader") && tables.some((area) => holds(area, box)));
  const kept = pairs
    .map((pair) => ({ pair, box: boxOf(pair.valueWords) }))
    .filter(({ pair, box }) => pair.notions.length > 0 || !isListed(pair, box));
  return kept.map(({ pair, box }) => {
    const column = kept.filter(({ box: other }) => near(other.x, box.x) || near(right(other), right(box)));
    const anchored = column.some((other) => other.pair.notions.length > 0 || other.pair.recognised.shape !== "text");
    return { ...pair, support: anchored ? column.length : 1 };
  });
}

/** Three or more whole numbers behind leaders or gaps that hardly ever fall are page numbers. */
function findContents(pairs: readonly Pair[]): ReadonlySet<Pair> {
  const numbered = pairs.filter(
    (pair) =>
      pair.notions.length === 0 &&
      (pair.sign === "leader" || pair.sign === "gap") &&
      /^(?:\d{1,4}|[ivxlc]{1,6})$/i.test(pair.value),
  );
  const numbers = numbered.map((pair) => Number(pair.value)).filter((number) => !Number.isNaN(number));
  const falls = numbers.filter((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)).length;
  return new Set(numbered.length >= 3 && falls <= 0.2 * numbers.length ? numbered : []);
}

function isWideTable(block: Block): boolean {
  return block.kind === "table" && block.rows.length > 2 && (block.rows[0]?.length ?? 0) > 2;
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < alignedWithin;
}

function holds(area: Box, box: Box): boolean {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return x >= area.x && x <= right(area) && y >= area.y && y <= area.y + area.height;
}

function right(box: Box): number {
  return box.x + box.width;
}
