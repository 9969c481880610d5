/**
 * The vectors of one model in memory that threads share, 2 kB a vector of 512 numbers. Rows are only ever added: a vector
 * that is replaced or gone leaves a row that no longer counts, so that a search under way still knows what its rows
 * were. Once many are dead, a copy without them takes its place.
 */
import { floatBytes } from "../vector-bytes.ts";
import type { RowRange } from "./compare-rows.ts";

const segmentBytes = 16 * 2 ** 20;
const ownerBytes = 4;
const orderBytes = 8;
const dead = -1;
const fewDead = 1_024;
const manyDead = 0.25;

interface Segment {
  vectors: SharedArrayBuffer;
  floats: Float32Array;
  ownerBuffer: SharedArrayBuffer;
  owners: Int32Array;
  orderBuffer: SharedArrayBuffer;
  orders: Float64Array;
}

export interface MatrixEntry {
  chunkId: string;
  documentId: string;
  writtenBy: string;
}

export class VectorMatrix {
  readonly dimensions: number;
  readonly stride: number;
  readonly #rowsPerSegment: number;
  readonly #segments: Segment[] = [];
  readonly #entries: MatrixEntry[] = [];
  /** The row that counts for a chunk. */
  readonly #rowOf = new Map<string, number>();
  readonly #documentNumbers = new Map<string, number>();

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.stride = Math.ceil(dimensions / 4) * 4;
    this.#rowsPerSegment = Math.max(1, Math.floor(segmentBytes / (this.stride * floatBytes)));
  }

  get rows(): number {
    return this.#entries.length;
  }

  get bytes(): number {
    return this.#segments.reduce(
      (sum, { vectors, ownerBuffer, orderBuffer }) =>
        sum + vectors.byteLength + ownerBuffer.byteLength + orderBuffer.byteLength,
      0,
    );
  }

  /** How many of the rows count. */
  get living(): number {
    return this.#rowOf.size;
  }

  has({ chunkId, writtenBy }: { chunkId: string; writtenBy: string }): boolean {
    const row = this.#rowOf.get(chunkId);
    return row !== undefined && this.#entries[row]?.writtenBy === writtenBy;
  }

  put(entry: MatrixEntry, vector: Float32Array): void {
    const replaced = this.#rowOf.get(entry.chunkId);
    if (replaced !== undefined) this.drop(replaced);
    const row = this.#entries.push(entry) - 1;
    const { segment, place } = this.#placeOf(row);
    segment.floats.set(vector, place * this.stride);
    segment.owners[place] = this.#documentNumber(entry.documentId);
    segment.orders[place] = orderOf(entry.chunkId);
    this.#rowOf.set(entry.chunkId, row);
  }

  /** Lets a row count no longer; what has taken its place in the meantime stays. */
  drop(row: number): void {
    const entry = this.entryAt(row);
    if (!entry) return;
    this.#rowOf.delete(entry.chunkId);
    const { segment, place } = this.#placeOf(row);
    segment.owners[place] = dead;
  }

  /** What stands in a row, unless it no longer counts. */
  entryAt(row: number): MatrixEntry | undefined {
    const entry = this.#entries[row];
    return entry && this.#rowOf.get(entry.chunkId) === row ? entry : undefined;
  }

  rowsOf(documentIds: ReadonlySet<string>): number[] {
    return [...this.#rowOf.values()].filter((row) => documentIds.has(this.#entries[row]?.documentId ?? ""));
  }

  /** Which documents a search may answer with, by their numbers here; undefined when all of them. */
  allow(only: readonly string[] | undefined, except: string | undefined): Uint8Array | undefined {
    if (!only && except === undefined) return undefined;
    const allowed = new Uint8Array(this.#documentNumbers.size).fill(only ? 0 : 1);
    for (const id of only ?? []) {
      const number = this.#documentNumbers.get(id);
      if (number !== undefined) allowed[number] = 1;
    }
    const excluded = except === undefined ? undefined : this.#documentNumbers.get(except);
    if (excluded !== undefined) allowed[excluded] = 0;
    return allowed;
  }

  /** All rows in about equal shares. */
  share(count: number): RowRange[][] {
    const rows = this.rows;
    return Array.from({ length: count }, (_, index) =>
      this.#ranges(Math.floor((rows * index) / count), Math.floor((rows * (index + 1)) / count)),
    ).filter((ranges) => ranges.length > 0);
  }

  /** Itself, or a copy without the dead rows once there are many. */
  compacted(): VectorMatrix {
    const deadRows = this.rows - this.living;
    if (deadRows < fewDead || deadRows < this.rows * manyDead) return this;
    const copy = new VectorMatrix(this.dimensions);
    this.#entries.forEach((entry, row) => {
      if (this.#rowOf.get(entry.chunkId) !== row) return;
      const { segment, place } = this.#placeOf(row);
      copy.put(entry, segment.floats.subarray(place * this.stride, place * this.stride + this.dimensions));
    });
    return copy;
  }

  #ranges(from: number, to: number): RowRange[] {
    const ranges: RowRange[] = [];
    for (let row = from; row < to; ) {
      const { segment, place } = this.#placeOf(row);
      const end = Math.min(this.#rowsPerSegment, place + to - row);
      const { vectors, ownerBuffer: owners, orderBuffer: orders } = segment;
      ranges.push({ vectors, owners, orders, from: place, to: end, firstRow: row - place });
      row += end - place;
    }
    return ranges;
  }

  #placeOf(row: number): { segment: Segment; place: number } {
    const index = Math.floor(row / this.#rowsPerSegment);
    let segment = this.#segments[index];
    if (!segment) {
      const vectors = new SharedArrayBuffer(this.#rowsPerSegment * this.stride * floatBytes);
      const ownerBuffer = new SharedArrayBuffer(this.#rowsPerSegment * ownerBytes);
      const orderBuffer = new SharedArrayBuffer(this.#rowsPerSegment * orderBytes);
      segment = {
        vectors,
        floats: new Float32Array(vectors),
        ownerBuffer,
        owners: new Int32Array(ownerBuffer),
        orderBuffer,
        orders: new Float64Array(orderBuffer),
      };
      this.#segments.push(segment);
    }
    return { segment, place: row % this.#rowsPerSegment };
  }

  #documentNumber(documentId: string): number {
    let number = this.#documentNumbers.get(documentId);
    if (number === undefined) {
      number = this.#documentNumbers.size;
      this.#documentNumbers.set(documentId, number);
    }
    return number;
  }
}

/** The order of uuids as far as a number holds it exactly: their first 12 digits. */
function orderOf(chunkId: string): number {
  return Number.parseInt(chunkId.slice(0, 8) + chunkId.slice(9, 13), 16);
}
