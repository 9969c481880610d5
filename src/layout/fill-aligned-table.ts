/** Makes the rows and cells of a table without a grid: which lines are one row, which cells run over several columns. */
import type { TableBlock, TableCell } from "./blocks.ts";
import { edgesToBox } from "./edges-to-box.ts";
import type { AlignedTable } from "./find-aligned-tables.ts";
import { isLeader } from "./gather-leaders.ts";
import { boundsOf, type Line } from "./line.ts";
import { type Edges, middleOf, type PlacedWord } from "./placed-word.ts";
import { cellsOf } from "./split-cells.ts";
import { countHeaderRows, isFigure } from "./table-header.ts";
import { writeInline } from "./write-inline.ts";

interface Slot {
  column: number;
  columnSpan: number;
  /** One entry a line. */
  lines: PlacedWord[][];
}

export function fillAlignedTable(table: AlignedTable, lines: readonly Line[]): TableBlock {
  const inside = lines.slice(table.from, table.to);
  const columns = table.strips.length + 1;
  const box = boundsOf(inside);
  const placed = inside.map((line) => slotsOf(line, table.strips));
  const values = valuesOf(placed);
  const slots = placed.map((line) => spreadHeading(line, values, columns));
  const rows = joinToRows(inside, slots, table).map((row) => spreadTitle(row, box, columns, placed));
  const bold: boolean[][] = [];
  const cells = rows.map((row): TableCell[] => {
    const out: TableCell[] = Array.from({ length: columns }, () => ({ text: "" }));
    bold.push(row.map((slot) => slot.lines.flat().every((word) => word.bold)));
    for (const slot of row) {
      out[slot.column] = {
        text: writeInline(slot.lines, { emphasis: false }),
        box: edgesToBox(boundsOf(slot.lines.flat())),
        ...(slot.columnSpan > 1 && { columnSpan: slot.columnSpan }),
      };
    }
    return out;
  });
  return { kind: "table", box: edgesToBox(box), rows: cells, headerRows: countHeaderRows(cells, bold) };
}

/** The only text of a row, in the middle of the table, is a title over all its columns. */
function spreadTitle(row: Slot[], table: Edges, columns: number, lines: readonly Slot[][]): Slot[] {
  const only = row[0];
  if (row.length !== 1 || only === undefined || (only.column === 0 && only.columnSpan === 1)) return row;
  const { x1, x2 } = boundsOf(only.lines.flat());
  if (Math.abs(x1 + x2 - table.x1 - table.x2) > (table.x2 - table.x1) * 0.12) return row;
  return isFlush(only, x1, lines) ? row : [{ ...only, column: 0, columnSpan: columns }];
}

/** It begins where others of its column do: the next line of a value, in the middle of the table by accident. */
function isFlush(only: Slot, x1: number, lines: readonly Slot[][]): boolean {
  let flush = 0;
  for (const line of lines) {
    const slot = line.length > 1 ? line.find((other) => other.column === only.column) : undefined;
    const first = slot?.lines[0]?.[0];
    if (first !== undefined && Math.abs(first.x1 - x1) < 1.5) flush++;
  }
  return flush >= 2;
}

/** Where the columns after the first are. */
function valuesOf(lines: readonly Slot[][]): Edges {
  const slots = lines.filter((line) => line.length > 1).flat();
  return boundsOf(slots.filter((slot) => slot.column > 0).flatMap((slot) => slot.lines.flat()));
}

/** The only text of a line, in the middle of all columns but the first, stands for those. */
function spreadHeading(line: Slot[], values: Edges, columns: number): Slot[] {
  const only = line[0];
  if (line.length !== 1 || only === undefined || only.column === 0 || columns < 3) return line;
  const { x1, x2 } = boundsOf(only.lines.flat());
  if (Math.abs(x1 + x2 - values.x1 - values.x2) > (values.x2 - values.x1) * 0.16) return line;
  return [{ ...only, column: 1, columnSpan: columns - 1 }];
}

/** What a line puts into which columns. */
function slotsOf(line: Line, strips: readonly number[]): Slot[] {
  const slots: Slot[] = [];
  for (const cell of cellsOf(line)) {
    for (const words of cutAtStrips(cell.words, strips)) {
      const first = words[0];
      const last = words.findLast((word) => !isLeader(word)) ?? first;
      if (first === undefined || last === undefined) continue;
      const column = columnOf(strips, first.x1 + Math.min(first.size * 0.3, (first.x2 - first.x1) / 2));
      const end = columnOf(strips, last.x2 - Math.min(last.size * 0.3, (last.x2 - last.x1) / 2));
      const before = slots.at(-1);
      if (before !== undefined && column < before.column + before.columnSpan) {
        before.lines[0]?.push(...words);
        before.columnSpan = Math.max(before.columnSpan, end - before.column + 1);
      } else slots.push({ column, columnSpan: Math.max(1, end - column + 1), lines: [words] });
    }
  }
  return slots;
}

/** Cells closer to each other than words of loose text are still parted where a strip is. */
function cutAtStrips(words: readonly PlacedWord[], strips: readonly number[]): PlacedWord[][] {
  const parts: PlacedWord[][] = [];
  for (const word of words) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    const atStrip = last !== undefined && strips.some((x) => last.x2 <= x + 1 && word.x1 >= x - 1);
    if (part === undefined || last === undefined || (atStrip && word.x1 - last.x2 > word.size * 0.38))
      parts.push([word]);
    else part.push(word);
  }
  return parts;
}

function columnOf(strips: readonly number[], x: number): number {
  let column = 0;
  while (column < strips.length && x >= (strips[column] ?? 0)) column++;
  return column;
}

const hasFigure = /\d/;

function joinToRows(lines: readonly Line[], slots: readonly Slot[][], table: AlignedTable): Slot[][] {
  const steps = lines.slice(1).map((line, i) => line.y2 - (lines[i]?.y2 ?? 0));
  const usual = middleOf(steps);
  const barred = lines.filter((line, i) => i > 0 && barBetween(table.bars, lines[i - 1] ?? line, line)).length;
  const barsPartRows = table.bars.length >= 4 && barred >= (lines.length - 1) / 4;
  const rows: Slot[][] = [];
  const headerEnd = firstFigures(slots);
  lines.forEach((line, i) => {
    const row = rows.at(-1);
    const here = slots[i] ?? [];
    const above = lines[i - 1];
    if (row === undefined || above === undefined) rows.push(here);
    else if (i < headerEnd && line.y2 - above.y2 < line.size * 1.4 && !barBetween(table.bars, above, line)) {
      if ([...row, ...here].some((slot) => slot.columnSpan > 1)) rows.push(here);
      else addTo(row, here);
    } else if (
      barsPartRows
        ? !barBetween(table.bars, above, line) && !isSpanning(row) && !isSpanning(here)
        : goesOnAbove(row, here, line.y2 - above.y2, usual, line.size)
    ) {
      addTo(row, here);
    } else rows.push(here);
  });
  return rows;
}

/** The first line with figures in it, if the lines above can be a header: wrapped names of columns are one row. */
function firstFigures(slots: readonly Slot[][]): number {
  const at = slots.findIndex((line) =>
    line.some(
      (slot) =>
        slot.column > 0 &&
        isFigure(
          slot.lines
            .flat()
            .map((word) => word.text)
            .join(" "),
        ),
    ),
  );
  return at > 6 ? 0 : at;
}

function isSpanning(row: readonly Slot[]): boolean {
  return row.some((slot) => slot.columnSpan > 1);
}

function barBetween(bars: readonly number[], above: Line, line: Line): boolean {
  const from = (above.y1 + above.y2) / 2;
  const to = (line.y1 + line.y2) / 2;
  return bars.some((bar) => bar > from && bar < to);
}

/** A line that only carries on text of the row above: nothing in the first column, no figures, close to it. */
function goesOnAbove(row: readonly Slot[], here: readonly Slot[], step: number, usual: number, size: number): boolean {
  if (here.length === 0) return true;
  if (here.length > row.length || step > size * 1.45 || step > usual * 1.25) return false;
  const texts = here.map((slot) =>
    slot.lines
      .flat()
      .map((word) => word.text)
      .join(" "),
  );
  if (texts.some((text) => hasFigure.test(text) && text.length < 12)) return false;
  const inAbove = here.every((slot) =>
    row.some((other) => other.column === slot.column && other.columnSpan === slot.columnSpan),
  );
  if (!inAbove) return false;
  if (here.some((slot) => slot.column === 0)) {
    // The first column names rows: a line in it goes on only if it cannot begin one.
    return here.length === 1 && /^\p{Ll}/u.test(texts[0] ?? "") && step < usual * 0.98;
  }
  return true;
}

function addTo(row: Slot[], here: readonly Slot[]): void {
  for (const slot of here) {
    const same = row.find(
      (other) => slot.column < other.column + other.columnSpan && other.column < slot.column + slot.columnSpan,
    );
    if (same === undefined) row.push(slot);
    else {
      same.lines.push(...slot.lines);
      const end = Math.max(same.column + same.columnSpan, slot.column + slot.columnSpan);
      same.column = Math.min(same.column, slot.column);
      same.columnSpan = end - same.column;
    }
  }
  row.sort((a, b) => a.column - b.column);
}
