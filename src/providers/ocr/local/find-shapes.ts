/**
 * The connected shapes of ink on a page: letters, mostly. From their boxes alone one can tell whether there is anything
 * to read, how large the type is, and how the page lies.
 */
import type { GreyImage } from "./grey-image.ts";

/** Boxes of all shapes, four numbers each: left, top, right, bottom (outside), and the pixels of each. */
export interface Shapes {
  count: number;
  boxes: Int32Array;
  areas: Int32Array;
}

/** Noise beyond this many runs of ink says nothing that the runs before did not. */
const mostRuns = 4_000_000;

export function findShapes({ data, width, height }: GreyImage, inkLevel: number): Shapes {
  const runs = new RunList();
  let previousStart = 0;
  let previousEnd = 0;
  for (let y = 0; y < height && runs.count < mostRuns; y++) {
    const rowStart = runs.count;
    const offset = y * width;
    let candidate = previousStart;
    for (let x = 0; x < width; x++) {
      if ((data[offset + x] as number) > inkLevel) continue;
      const left = x;
      while (x < width && (data[offset + x] as number) <= inkLevel) x += 1;
      const run = runs.add(left, x, y);
      // Runs of the row above touch this one when they overlap, or meet at a corner.
      while (candidate < previousEnd && (runs.right[candidate] as number) < left) candidate += 1;
      for (let other = candidate; other < previousEnd && (runs.left[other] as number) <= x; other++)
        runs.join(run, other);
    }
    previousStart = rowStart;
    previousEnd = runs.count;
  }
  return runs.gather();
}

class RunList {
  count = 0;
  left = new Int32Array(1 << 16);
  right = new Int32Array(1 << 16);
  private row = new Int32Array(1 << 16);
  private parent = new Int32Array(1 << 16);

  add(left: number, right: number, row: number): number {
    if (this.count === this.left.length) this.grow();
    const run = this.count++;
    this.left[run] = left;
    this.right[run] = right;
    this.row[run] = row;
    this.parent[run] = run;
    return run;
  }

  join(one: number, other: number): void {
    const first = this.root(one);
    const second = this.root(other);
    if (first < second) this.parent[second] = first;
    else this.parent[first] = second;
  }

  gather(): Shapes {
    const shape = new Int32Array(this.count);
    const boxes = new Int32Array(this.count * 4);
    const areas = new Int32Array(this.count);
    let count = 0;
    for (let run = 0; run < this.count; run++) {
      const root = this.root(run);
      // A root is the first of its runs, so the top edge is known with it.
      if (root === run) {
        shape[run] = count;
        boxes.set([this.left[run] as number, this.row[run] as number, this.right[run] as number, 0], count * 4);
        count += 1;
      }
      const own = shape[root] as number;
      const at = own * 4;
      boxes[at] = Math.min(boxes[at] as number, this.left[run] as number);
      boxes[at + 2] = Math.max(boxes[at + 2] as number, this.right[run] as number);
      boxes[at + 3] = (this.row[run] as number) + 1;
      areas[own] = (areas[own] as number) + (this.right[run] as number) - (this.left[run] as number);
    }
    return { count, boxes: boxes.subarray(0, count * 4), areas: areas.subarray(0, count) };
  }

  private root(run: number): number {
    while (this.parent[run] !== run) {
      this.parent[run] = this.parent[this.parent[run] as number] as number;
      run = this.parent[run] as number;
    }
    return run;
  }

  private grow(): void {
    for (const name of ["left", "right", "row", "parent"] as const) {
      const longer = new Int32Array(this[name].length * 2);
      longer.set(this[name]);
      this[name] = longer;
    }
  }
}
