/** The SIMD kernels over a memory of the caller's own. The one module is written and compiled once a thread. */
import { dotRows, multiplyFloats, multiplyQuantised } from "./matrix-kernels.ts";
import { normaliseRows, quantiseRows, softmaxRows } from "./row-kernels.ts";
import { writeModule } from "./wasm-writer.ts";

type Address = number;

/** What each does stands where it is written: matrix-kernels.ts and row-kernels.ts. */
export interface Kernels {
  readonly memory: ArrayBuffer;
  dotRows(
    a: Address,
    aStride: number,
    aCount: number,
    b: Address,
    bStride: number,
    bCount: number,
    out: Address,
    outStride: number,
    length: number,
  ): void;
  multiplyFloats(
    a: Address,
    aStride: number,
    rows: number,
    b: Address,
    bStride: number,
    columns: number,
    out: Address,
    outStride: number,
    depth: number,
  ): void;
  multiplyQuantised(
    a: Address,
    rowScales: Address,
    rows: number,
    panel: Address,
    columnScales: Address,
    out: Address,
    outStride: number,
    pairs: number,
    mode: number,
  ): void;
  normaliseRows(from: Address, to: Address, rows: number, width: number, gain: Address, bias: Address): void;
  quantiseRows(from: Address, to: Address, rows: number, width: number, scales: Address): void;
  softmaxRows(rowsAt: Address, stride: number, rows: number, width: number): void;
}

const pageBytes = 2 ** 16;
let compiled: WebAssembly.Module | undefined;

export function openKernels(memoryBytes: number): Kernels {
  compiled ??= new WebAssembly.Module(
    writeModule([dotRows, multiplyFloats, multiplyQuantised, normaliseRows, quantiseRows, softmaxRows]),
  );
  const memory = new WebAssembly.Memory({ initial: Math.ceil(memoryBytes / pageBytes) });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return { ...(exports as unknown as Omit<Kernels, "memory">), memory: memory.buffer };
}
