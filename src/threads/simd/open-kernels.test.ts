import { describe, expect, it } from "vitest";
import { productModes } from "./matrix-kernels.ts";
import { openKernels } from "./open-kernels.ts";

const floatBytes = 4;
const kernels = openKernels(2 ** 20);
const floats = new Float32Array(kernels.memory);
const whole = new Int16Array(kernels.memory);

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 31 - 1;
};

/** Fills memory from an address on and answers what was written. */
function fill(address: number, count: number): number[] {
  const numbers = Float32Array.from({ length: count }, random);
  floats.set(numbers, address / floatBytes);
  return [...numbers];
}

const read = (address: number, count: number) => [
  ...floats.subarray(address / floatBytes, address / floatBytes + count),
];

describe("dotRows", () => {
  it.each([1, 3, 4, 5, 8])("gives the products of %i rows with others", (aCount) => {
    const [a, b, out, length, bCount] = [0, 4_096, 65_536, 20, 12];
    const left = fill(a, aCount * length);
    const right = fill(b, bCount * length);
    kernels.dotRows(a, length * floatBytes, aCount, b, length * floatBytes, bCount, out, bCount * floatBytes, length);
    for (let i = 0; i < aCount; i++) {
      for (let j = 0; j < bCount; j++) {
        let expected = 0;
        for (let k = 0; k < length; k++) expected += (left[i * length + k] ?? 0) * (right[j * length + k] ?? 0);
        expect(floats[out / floatBytes + i * bCount + j]).toBeCloseTo(expected, 5);
      }
    }
  });

  it("gives a row the same bits alone and among others", () => {
    fill(0, 4 * 64);
    fill(4_096, 8 * 64);
    kernels.dotRows(0, 256, 4, 4_096, 256, 8, 65_536, 32, 64);
    const among = read(65_536 + 2 * 32, 8);
    kernels.dotRows(2 * 256, 256, 1, 4_096, 256, 8, 65_536, 32, 64);
    expect(read(65_536, 8)).toEqual(among);
  });
});

it("multiplyFloats multiplies matrices", () => {
  const [a, b, out] = [0, 8_192, 65_536];
  const [rows, depth, columns] = [8, 7, 16];
  const left = fill(a, rows * depth);
  const right = fill(b, depth * columns);
  kernels.multiplyFloats(a, depth * 4, rows, b, columns * 4, columns, out, columns * 4, depth);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let expected = 0;
      for (let k = 0; k < depth; k++) expected += (left[i * depth + k] ?? 0) * (right[k * columns + j] ?? 0);
      expect(floats[out / floatBytes + i * columns + j]).toBeCloseTo(expected, 5);
    }
  }
});

describe("multiplyQuantised", () => {
  const [a, scales, panel, ends, out] = [0, 4_096, 8_192, 16_384, 32_768];
  const [rows, depth, columns] = [8, 12, 8];

  function run(mode: number): { expected: number[]; found: number[] } {
    const left = Array.from({ length: rows * depth }, () => Math.round(random() * 1_000));
    const right = Array.from({ length: depth * columns }, () => Math.round(random() * 1_000));
    whole.set(left, a / 2);
    for (let k = 0; k < depth; k++) {
      for (let j = 0; j < columns; j++) {
        whole[panel / 2 + (k >> 1) * 2 * columns + 2 * j + (k & 1)] = right[k * columns + j] as number;
      }
    }
    const rowScales = fill(scales, rows);
    const columnEnds = fill(ends, 2 * columns);
    const before = fill(out, rows * columns);
    kernels.multiplyQuantised(a, scales, rows, panel, ends, out, columns * floatBytes, depth / 2, mode);
    const expected = before.map((was, place) => {
      const [i, j] = [Math.floor(place / columns), place % columns];
      let sum = 0;
      for (let k = 0; k < depth; k++) sum += (left[i * depth + k] ?? 0) * (right[k * columns + j] ?? 0);
      const product = sum * (rowScales[i] ?? 0) * (columnEnds[j] ?? 0) + (columnEnds[columns + j] ?? 0);
      if (mode === productModes.add) return was + product;
      return mode === productModes.storePositive ? Math.max(0, product) : product;
    });
    return { expected, found: read(out, rows * columns) };
  }

  it.each(Object.entries(productModes))("turns products back to floats, to %s", (_, mode) => {
    const { expected, found } = run(mode);
    found.forEach((value, place) => {
      expect(Math.abs(value - (expected[place] ?? 0))).toBeLessThanOrEqual(1 + Math.abs(value) * 1e-5);
    });
  });
});

it("normaliseRows brings rows to mean 0 and variance 1, then to gain and bias", () => {
  const width = 32;
  const source = fill(0, 2 * width);
  const [gain, bias] = [fill(4_096, width), fill(8_192, width)];
  kernels.normaliseRows(0, 16_384, 2, width, 4_096, 8_192);
  for (let row = 0; row < 2; row++) {
    const numbers = source.slice(row * width, (row + 1) * width);
    const mean = numbers.reduce((sum, value) => sum + value) / width;
    const deviation = Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width + 1e-6);
    read(16_384 + row * width * floatBytes, width).forEach((value, i) => {
      expect(value).toBeCloseTo((((numbers[i] ?? 0) - mean) / deviation) * (gain[i] ?? 0) + (bias[i] ?? 0), 4);
    });
  }
});

it("quantiseRows keeps rows to four digits, and zeros as they are", () => {
  const width = 64;
  const source = fill(0, width);
  floats.fill(0, width, 2 * width);
  kernels.quantiseRows(0, 8_192, 2, width, 16_384);
  const [scale = 0] = read(16_384, 1);
  source.forEach((value, i) => {
    expect((whole[8_192 / 2 + i] ?? 0) * scale).toBeCloseTo(value, 3);
  });
  expect([...whole.subarray(8_192 / 2 + width, 8_192 / 2 + 2 * width)]).toEqual(Array(width).fill(0));
});

it.each([1, 5, 16])("softmaxRows gives shares of %i that add up to one", (width) => {
  const numbers = fill(0, width).map((value) => value * 20);
  floats.set(numbers);
  kernels.softmaxRows(0, 64, 1, width);
  const powers = numbers.map((value) => Math.exp(value - Math.max(...numbers)));
  const sum = powers.reduce((total, power) => total + power);
  read(0, width).forEach((value, i) => {
    expect(value).toBeCloseTo((powers[i] ?? 0) / sum, 6);
  });
});
