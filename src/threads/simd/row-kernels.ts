/** What happens to each row between two matrix products. Addresses and strides are in bytes, widths in numbers. */
import { add, countUp, f32, f32x4, get, i16x8, i32, i32x4, maxOf, set, sumOf, v128 } from "./instructions.ts";
import { type Code, defineFunction, type FunctionScope, type Local } from "./wasm-writer.ts";

const vectorBytes = 16;

/**
 * The norm to which rows and columns are quantised: the sum of two rows' products is at most the product of their
 * norms, so that it stays below 2^31 (46,340 squared) with room for rounding.
 */
export const quantisedNorm = 46_000;
export const quantisedMost = 32_767;
const leastNorm = 1e-20;
const layerNormEpsilon = 1e-6;

/** Brings each row to mean 0 and variance 1, then × gain + bias. */
export const normaliseRows = defineFunction("normaliseRows", 6, (scope) => {
  const [from, to, rows, width, gain, bias] = scope.parameters as [Local, Local, Local, Local, Local, Local];
  const { row, at, bytes, source, target } = declarePlaces(scope);
  const [sum, mean, factor, centred] = declareVectors(scope, 4) as [Local, Local, Local, Local];
  const here = (start: Local) => v128.load(i32.add(get(start), get(at)));
  const averaged = f32.div(sumOf(sum), f32.convert(get(width)));
  return [
    set(bytes, i32.shiftLeft(get(width), i32.of(2))),
    set(source, get(from)),
    set(target, get(to)),
    countUp(
      row,
      get(rows),
      1,
      set(sum, f32x4.of(0)),
      eachVector(at, bytes, set(sum, f32x4.add(get(sum), here(source)))),
      set(mean, f32x4.splat(averaged)),
      set(sum, f32x4.of(0)),
      eachVector(
        at,
        bytes,
        set(centred, f32x4.sub(here(source), get(mean))),
        set(sum, f32x4.add(get(sum), f32x4.mul(get(centred), get(centred)))),
      ),
      set(factor, f32x4.splat(f32.div(f32.of(1), f32.sqrt(f32.add(averaged, f32.of(layerNormEpsilon)))))),
      eachVector(
        at,
        bytes,
        v128.store(
          i32.add(get(target), get(at)),
          f32x4.add(f32x4.mul(f32x4.mul(f32x4.sub(here(source), get(mean)), get(factor)), here(gain)), here(bias)),
        ),
      ),
      add(source, get(bytes)),
      add(target, get(bytes)),
    ),
  ];
});

/** Turns each row into 16-bit whole numbers, as finely as the norm allows, and notes the scale that turns them back. */
export const quantiseRows = defineFunction("quantiseRows", 5, (scope) => {
  const [from, to, rows, width, scales] = scope.parameters as [Local, Local, Local, Local, Local];
  const { row, at, bytes, source, target } = declarePlaces(scope);
  const [squares, most, factor, value] = declareVectors(scope, 4) as [Local, Local, Local, Local];
  const scale = scope.declare("f32");
  const here = (offset = 0) => v128.load(i32.add(get(source), get(at)), offset);
  const rounded = (offset: number) => i32x4.truncate(f32x4.nearest(f32x4.mul(here(offset), get(factor))));
  return [
    set(bytes, i32.shiftLeft(get(width), i32.of(2))),
    set(source, get(from)),
    set(target, get(to)),
    countUp(
      row,
      get(rows),
      1,
      set(squares, f32x4.of(0)),
      set(most, f32x4.of(leastNorm)),
      eachVector(
        at,
        bytes,
        set(value, here()),
        set(squares, f32x4.add(get(squares), f32x4.mul(get(value), get(value)))),
        set(most, f32x4.max(get(most), f32x4.abs(get(value)))),
      ),
      set(
        scale,
        f32.min(
          f32.div(f32.of(quantisedMost), maxOf(most)),
          f32.div(f32.of(quantisedNorm), f32.max(f32.sqrt(sumOf(squares)), f32.of(leastNorm))),
        ),
      ),
      set(factor, f32x4.splat(get(scale))),
      set(at, i32.of(0)),
      countUp(
        at,
        get(bytes),
        2 * vectorBytes,
        v128.store(get(target), i16x8.narrow(rounded(0), rounded(vectorBytes))),
        add(target, i32.of(vectorBytes)),
      ),
      f32.store(get(scales), f32.div(f32.of(1), get(scale))),
      add(scales, i32.of(4)),
      add(source, get(bytes)),
    ),
  ];
});

/** Softmax over the first `width` of each row, in place. What follows up to a multiple of 4 is written over. */
export const softmaxRows = defineFunction("softmaxRows", 4, (scope) => {
  const [rowsAt, stride, rows, width] = scope.parameters as [Local, Local, Local, Local];
  const { row, at, bytes, source } = declarePlaces(scope);
  const [most, sum, whole, part, power] = declareVectors(scope, 5) as [Local, Local, Local, Local, Local];
  const here = i32.add(get(source), get(at));
  return [
    set(bytes, i32.shiftLeft(i32.and(i32.add(get(width), i32.of(3)), i32.of(-4)), i32.of(2))),
    set(source, get(rowsAt)),
    countUp(
      row,
      get(rows),
      1,
      set(at, i32.shiftLeft(get(width), i32.of(2))),
      countUp(at, get(bytes), 4, f32.store(here, f32.of(-1e30))),
      set(most, f32x4.of(-1e30)),
      eachVector(at, bytes, set(most, f32x4.max(get(most), v128.load(here)))),
      set(most, f32x4.splat(maxOf(most))),
      set(sum, f32x4.of(0)),
      eachVector(
        at,
        bytes,
        ...exponential(f32x4.sub(v128.load(here), get(most)), { whole, part, power }),
        set(sum, f32x4.add(get(sum), get(power))),
        v128.store(here, get(power)),
      ),
      set(sum, f32x4.splat(f32.div(f32.of(1), sumOf(sum)))),
      eachVector(at, bytes, v128.store(here, f32x4.mul(v128.load(here), get(sum)))),
      add(source, get(stride)),
    ),
  ];
});

/** `power` = e^x for x ≤ 0, to about 2^-23: 2^whole as the bits of a float × a polynomial for the rest of the power. */
function exponential(x: Code, { whole, part, power }: { whole: Local; part: Local; power: Local }): Code[] {
  const exponentBias = 127;
  const mantissaBits = 23;
  // Taylor's series of 2^x on [-0.5, 0.5], highest power first.
  const series = [720, 120, 24, 6, 2, 1, 1].map((factorial, place) => Math.LN2 ** (6 - place) / factorial);
  return [
    // Below this the exponent would leave its 8 bits.
    set(part, f32x4.mul(f32x4.max(x, f32x4.of(-87)), f32x4.of(Math.LOG2E))),
    set(whole, f32x4.nearest(get(part))),
    set(part, f32x4.sub(get(part), get(whole))),
    set(power, f32x4.of(0)),
    ...series.map((factor) => set(power, f32x4.add(f32x4.mul(get(power), get(part)), f32x4.of(factor)))),
    set(
      power,
      f32x4.mul(
        get(power),
        i32x4.shiftLeft(i32x4.add(i32x4.truncate(get(whole)), i32x4.splat(i32.of(exponentBias))), i32.of(mantissaBits)),
      ),
    ),
  ];
}

function eachVector(at: Local, bytes: Local, ...body: readonly Code[]): Code {
  return [...set(at, i32.of(0)), ...countUp(at, get(bytes), vectorBytes, ...body)];
}

function declarePlaces(scope: FunctionScope) {
  const place = () => scope.declare("i32");
  return { row: place(), at: place(), bytes: place(), source: place(), target: place() };
}

function declareVectors(scope: FunctionScope, count: number): Local[] {
  return Array.from({ length: count }, () => scope.declare("v128"));
}
