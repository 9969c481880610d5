/**
 * WebAssembly's instructions as functions that nest like the expressions they compute; only those the kernels use. None
 * of the relaxed ones: these give the same bits on every processor.
 */
import { type Code, type Local, signed, unsigned } from "./wasm-writer.ts";

const emptyBlock = 0x40;
const end = 0x0b;

export const get = (local: Local): Code => [0x20, ...unsigned(local.index)];
export const set = (local: Local, value: Code): Code => [...value, 0x21, ...unsigned(local.index)];

export const i32 = {
  of: (value: number): Code => [0x41, ...signed(value)],
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  shiftLeft: binary(0x74),
  equal: binary(0x46),
  atLeast: binary(0x4e),
  less: binary(0x48),
};

export const f32 = {
  of: (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  /** Of a count. */
  convert: (value: Code): Code => [...value, 0xb2],
  add: binary(0x92),
  mul: binary(0x94),
  div: binary(0x95),
  min: binary(0x96),
  max: binary(0x97),
  sqrt: (value: Code): Code => [...value, 0x91],
  load: (address: Code, offset = 0): Code => [...address, 0x2a, 2, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [...address, ...value, 0x38, 2, ...unsigned(offset)],
};

export const v128 = {
  load: (address: Code, offset = 0): Code => [...address, ...simd(0x00), 2, ...unsigned(offset)],
  /** Four copies of the 32 bits at an address. */
  loadSplat: (address: Code, offset = 0): Code => [...address, ...simd(0x09), 2, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...simd(0x0b),
    2,
    ...unsigned(offset),
  ],
};

export const f32x4 = {
  of: (value: number): Code => f32x4.splat(f32.of(value)),
  splat: unary(0x13),
  /** The one of the four at `lane`. */
  lane: (value: Code, lane: number): Code => [...value, ...simd(0x1f), lane],
  nearest: unary(0x6a),
  abs: unary(0xe0),
  add: binarySimd(0xe4),
  sub: binarySimd(0xe5),
  mul: binarySimd(0xe6),
  min: binarySimd(0xe8),
  max: binarySimd(0xe9),
  /** From whole numbers. */
  convert: unary(0xfa),
};

export const i32x4 = {
  zero: (): Code => [...i32.of(0), ...simd(0x11)],
  splat: unary(0x11),
  add: binarySimd(0xae),
  shiftLeft: binarySimd(0xab),
  /** From whole numbers held as floats. */
  truncate: unary(0xf8),
  /** Products of eight 16-bit pairs, neighbours added. */
  dotInt16: binarySimd(0xba),
};

export const i16x8 = {
  /** Eight 16-bit numbers from four and four 32-bit ones, clamped. */
  narrow: binarySimd(0x85),
};

export const add = (local: Local, value: Code): Code => set(local, i32.add(get(local), value));

export const when = (condition: Code, ...body: readonly Code[]): Code => [
  ...condition,
  0x04,
  emptyBlock,
  ...body.flat(),
  end,
];

/** Runs `body` while `counter`, raised by `step` each time, is below the limit. */
export function countUp(counter: Local, limit: Code, step: number, ...body: readonly Code[]): Code {
  const below = i32.less(get(counter), limit);
  return when(below, [0x03, emptyBlock, ...body.flat(), ...add(counter, i32.of(step)), ...below, 0x0d, 0, end]);
}

/** The sum of the four, always in the same order. */
export const sumOf = (vector: Local): Code =>
  f32.add(
    f32.add(f32x4.lane(get(vector), 0), f32x4.lane(get(vector), 1)),
    f32.add(f32x4.lane(get(vector), 2), f32x4.lane(get(vector), 3)),
  );

export const maxOf = (vector: Local): Code =>
  f32.max(
    f32.max(f32x4.lane(get(vector), 0), f32x4.lane(get(vector), 1)),
    f32.max(f32x4.lane(get(vector), 2), f32x4.lane(get(vector), 3)),
  );

function simd(opcode: number): Code {
  return [0xfd, ...unsigned(opcode)];
}

function binary(opcode: number): (left: Code, right: Code) => Code {
  return (left, right) => [...left, ...right, opcode];
}

function unary(simdOpcode: number): (value: Code) => Code {
  return (value) => [...value, ...simd(simdOpcode)];
}

function binarySimd(simdOpcode: number): (left: Code, right: Code) => Code {
  return (left, right) => [...left, ...right, ...simd(simdOpcode)];
}
