/**
 * Compares queries with rows of a matrix and keeps the best of each. Runs in a thread, or where it is called for small
 * matrices. A pair's cosine is the same to the bit, whatever it is compared along with, and which of equals are kept
 * does not depend on where they stand.
 */
import { type Kernels, openKernels } from "../../threads/simd/open-kernels.ts";

/** Consecutive rows of one segment of a matrix. */
export interface RowRange {
  vectors: SharedArrayBuffer;
  /** For each row the number of its document; below 0 the row no longer counts. */
  owners: SharedArrayBuffer;
  /** For each row the place of its chunk among those with the same cosine: the lower is the better. */
  orders: SharedArrayBuffer;
  from: number;
  to: number;
  /** The number of the segment's row 0 in the whole matrix. */
  firstRow: number;
}

export interface Comparison {
  ranges: readonly RowRange[];
  /** Numbers a row, with the zeros that make it a multiple of four. */
  stride: number;
  /** Of that stride, one after another; at most `queriesAtOnce`. */
  queries: Float32Array;
  limit: number;
  minCosine: number | undefined;
  /** By the document's number: 1 where its rows may be answered. Undefined: all may. */
  allowed: Uint8Array | undefined;
}

/** A query's best rows, best first. */
export interface Ranking {
  rows: Int32Array;
  cosines: Float32Array;
}

export const queriesAtOnce = 64;
/** With the queries, what fits into a core's second cache. */
const rowsAtOnce = 64;
const floatBytes = 4;

export function compareRows({ ranges, stride, queries, limit, minCosine, allowed }: Comparison): Ranking[] {
  const { kernels, floats } = kernelsFor(stride);
  const strideBytes = stride * floatBytes;
  const rowsAt = queriesAtOnce * stride;
  const scoresAt = rowsAt + rowsAtOnce * stride;
  const count = queries.length / stride;
  floats.set(queries);
  const best = Array.from({ length: count }, () => new BestRows(limit, minCosine ?? Number.NEGATIVE_INFINITY));

  for (const range of ranges) {
    const vectors = new Float32Array(range.vectors);
    const owners = new Int32Array(range.owners);
    const orders = new Float64Array(range.orders);
    const counts = (row: number) => {
      const owner = owners[row] as number;
      return owner >= 0 && (allowed === undefined || allowed[owner] === 1);
    };
    for (let from = range.from; from < range.to; from += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, range.to - from);
      if (allowed && !someRow(from, rows, counts)) continue;
      floats.set(vectors.subarray(from * stride, (from + rows) * stride), rowsAt);
      kernels.dotRows(
        0,
        strideBytes,
        count,
        rowsAt * floatBytes,
        strideBytes,
        rows,
        scoresAt * floatBytes,
        rowsAtOnce * floatBytes,
        stride,
      );
      for (let query = 0; query < count; query++) {
        const kept = best[query] as BestRows;
        const scores = scoresAt + query * rowsAtOnce;
        for (let row = 0; row < rows; row++) {
          const score = floats[scores + row] as number;
          if (score < kept.least || !counts(from + row)) continue;
          kept.offer(range.firstRow + from + row, score, orders[from + row] as number);
        }
      }
    }
  }
  return best.map((kept) => kept.rank());
}

function someRow(from: number, rows: number, counts: (row: number) => boolean): boolean {
  for (let row = from; row < from + rows; row++) if (counts(row)) return true;
  return false;
}

/** The rows with the highest scores, and of equals the lowest orders, in a heap with the worst of them on top. */
class BestRows {
  /** What a score must reach to be among them. */
  least: number;
  readonly #limit: number;
  readonly #rows: number[] = [];
  readonly #scores: number[] = [];
  readonly #orders: number[] = [];

  constructor(limit: number, least: number) {
    this.#limit = limit;
    this.least = limit > 0 ? least : Number.POSITIVE_INFINITY;
  }

  offer(row: number, score: number, order: number): void {
    const [rows, scores, orders] = [this.#rows, this.#scores, this.#orders];
    if (scores.length < this.#limit) {
      rows.push(row);
      scores.push(score);
      orders.push(order);
      this.#rise(scores.length - 1);
    } else if (score > (scores[0] as number) || order < (orders[0] as number)) {
      rows[0] = row;
      scores[0] = score;
      orders[0] = order;
      this.#sink();
    }
    if (scores.length === this.#limit) this.least = scores[0] as number;
  }

  rank(): Ranking {
    const order = [...this.#rows.keys()].sort(
      (one, other) => (this.#scores[other] as number) - (this.#scores[one] as number),
    );
    return {
      rows: Int32Array.from(order, (place) => this.#rows[place] as number),
      cosines: Float32Array.from(order, (place) => this.#scores[place] as number),
    };
  }

  #rise(place: number): void {
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isWorse(place, parent)) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #sink(): void {
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      if (left >= this.#scores.length) return;
      const right = left + 1;
      const worse = right < this.#scores.length && this.#isWorse(right, left) ? right : left;
      if (!this.#isWorse(worse, place)) return;
      this.#swap(place, worse);
      place = worse;
    }
  }

  #isWorse(one: number, other: number): boolean {
    const difference = (this.#scores[one] as number) - (this.#scores[other] as number);
    return difference < 0 || (difference === 0 && (this.#orders[one] as number) > (this.#orders[other] as number));
  }

  #swap(one: number, other: number): void {
    for (const list of [this.#rows, this.#scores, this.#orders]) {
      const kept = list[one] as number;
      list[one] = list[other] as number;
      list[other] = kept;
    }
  }
}

interface OpenKernels {
  kernels: Kernels;
  floats: Float32Array;
}

const openByStride = new Map<number, OpenKernels>();

function kernelsFor(stride: number): OpenKernels {
  let open = openByStride.get(stride);
  if (!open) {
    const numbers = (queriesAtOnce + rowsAtOnce) * stride + queriesAtOnce * rowsAtOnce;
    const kernels = openKernels(numbers * floatBytes);
    open = { kernels, floats: new Float32Array(kernels.memory) };
    openByStride.set(stride, open);
  }
  return open;
}
