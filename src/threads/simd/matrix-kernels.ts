/**
 * Matrix products. All addresses and strides are in bytes. Every element is summed up in one order that depends on
 * neither its neighbours nor the tile it falls into, so that a row's result never depends on what else is multiplied.
 */
import { add, countUp, f32, f32x4, get, i32, i32x4, set, sumOf, v128, when } from "./instructions.ts";
import { type Code, defineFunction, type FunctionScope, type Local } from "./wasm-writer.ts";

const lanes = 4;
const vectorBytes = 16;

/** out[i][j] = a[i] · b[j]. Lengths are multiples of 4; b and out's rows have room for a multiple of 4. */
export const dotRows = defineFunction("dotRows", 9, (scope) => {
  const [a, aStride, aCount, b, bStride, bCount, out, outStride, length] = scope.parameters as Parameters9;
  const [i, j] = [scope.declare("i32"), scope.declare("i32")];
  const lengthBytes = scope.declare("i32");
  const manyRows = i32.sub(get(aCount), i32.of(3));
  return [
    set(lengthBytes, i32.shiftLeft(get(length), i32.of(2))),
    countUp(i, manyRows, 4, set(j, i32.of(0)), countUp(j, get(bCount), 2, tile(4, 2))),
    countUp(i, get(aCount), 1, set(j, i32.of(0)), countUp(j, get(bCount), 4, tile(1, 4))),
  ];

  function tile(aRows: number, bRows: number): Code {
    const aPlaces = declareMany(scope, "i32", aRows);
    const bPlaces = declareMany(scope, "i32", bRows);
    const sums = declareMany(scope, "v128", aRows * bRows);
    const bVectors = declareMany(scope, "v128", bRows);
    const aVector = scope.declare("v128");
    const [at, outPlace] = [scope.declare("i32"), scope.declare("i32")];
    const at4 = (place: Local) => v128.load(i32.add(get(place), get(at)));
    const rowAt = (start: Local, stride: Local, index: Local, further: number) =>
      i32.add(get(start), i32.mul(i32.add(get(index), i32.of(further)), get(stride)));
    return [
      ...aPlaces.map((place, row) => set(place, rowAt(a, aStride, i, row))),
      ...bPlaces.map((place, row) => set(place, rowAt(b, bStride, j, row))),
      ...sums.map((sum) => set(sum, i32x4.zero())),
      set(at, i32.of(0)),
      countUp(
        at,
        get(lengthBytes),
        vectorBytes,
        ...bVectors.map((vector, row) => set(vector, at4(bPlaces[row] as Local))),
        ...aPlaces.flatMap((place, row) => [
          set(aVector, at4(place)),
          ...bVectors.map((vector, column) => {
            const sum = sums[row * bRows + column] as Local;
            return set(sum, f32x4.add(get(sum), f32x4.mul(get(aVector), get(vector))));
          }),
        ]),
      ),
      ...aPlaces.flatMap((_, row) => [
        set(outPlace, i32.add(rowAt(out, outStride, i, row), i32.shiftLeft(get(j), i32.of(2)))),
        ...bPlaces.map((_, column) =>
          f32.store(get(outPlace), sumOf(sums[row * bRows + column] as Local), column * lanes),
        ),
      ]),
    ].flat();
  }
});

type Parameters9 = [Local, Local, Local, Local, Local, Local, Local, Local, Local];

/** out = a × b in float32, tiles of 4 rows by 8 columns; rows and columns are multiples of those. */
export const multiplyFloats = defineFunction("multiplyFloats", 9, (scope) => {
  const [a, aStride, rows, b, bStride, columns, out, outStride, depth] = scope.parameters as Parameters9;
  const [row, column, step] = [scope.declare("i32"), scope.declare("i32"), scope.declare("i32")];
  const [aPlace, bPlace, outPlace] = [scope.declare("i32"), scope.declare("i32"), scope.declare("i32")];
  const aRows = declareMany(scope, "i32", 4);
  const sums = declareMany(scope, "v128", 8);
  const [b0, b1, aVector] = [scope.declare("v128"), scope.declare("v128"), scope.declare("v128")];
  return [
    countUp(
      row,
      get(rows),
      4,
      set(column, i32.of(0)),
      countUp(
        column,
        get(columns),
        8,
        set(aPlace, i32.add(get(a), i32.mul(get(row), get(aStride)))),
        ...aRows.map((place, index) => set(place, i32.add(get(aPlace), i32.mul(i32.of(index), get(aStride))))),
        set(bPlace, i32.add(get(b), i32.shiftLeft(get(column), i32.of(2)))),
        ...sums.map((sum) => set(sum, i32x4.zero())),
        set(step, i32.of(0)),
        countUp(
          step,
          get(depth),
          1,
          set(b0, v128.load(get(bPlace))),
          set(b1, v128.load(get(bPlace), vectorBytes)),
          ...aRows.flatMap((place, index) => {
            const [sum0, sum1] = sums.slice(index * 2) as [Local, Local];
            return [
              set(aVector, v128.loadSplat(get(place))),
              set(sum0, f32x4.add(get(sum0), f32x4.mul(get(aVector), get(b0)))),
              set(sum1, f32x4.add(get(sum1), f32x4.mul(get(aVector), get(b1)))),
              add(place, i32.of(4)),
            ];
          }),
          add(bPlace, get(bStride)),
        ),
        set(
          outPlace,
          i32.add(i32.add(get(out), i32.mul(get(row), get(outStride))), i32.shiftLeft(get(column), i32.of(2))),
        ),
        ...aRows.flatMap((_, index) => [
          v128.store(get(outPlace), get(sums[index * 2] as Local)),
          v128.store(get(outPlace), get(sums[index * 2 + 1] as Local), vectorBytes),
          add(outPlace, get(outStride)),
        ]),
      ),
    ),
  ];
});

/** What `multiplyQuantised` does with a product. */
export const productModes = { store: 0, storePositive: 1, add: 2 } as const;

/**
 * Eight columns of out = a × b with a and b in 16-bit whole numbers, turned back to float32: × the row's scale × the
 * column's + the column's bias. `b` is a panel: for each pair of steps eight columns of two numbers each. Rows are a
 * multiple of 4, `pairs` is half the depth. Twice as fast as float32 on every processor, exact, and half the memory;
 * whoever quantises sees to it that no sum exceeds 31 bits.
 */
export const multiplyQuantised = defineFunction("multiplyQuantised", 9, (scope) => {
  const [a, rowScales, rows, b, columnScales, out, outStride, pairs, mode] = scope.parameters as Parameters9;
  const [row, aStride, bEnd, bPlace, outPlace] = declareMany(scope, "i32", 5) as [Local, Local, Local, Local, Local];
  const aRows = declareMany(scope, "i32", 4);
  const sums = declareMany(scope, "v128", 8);
  const [b0, b1, aVector] = [scope.declare("v128"), scope.declare("v128"), scope.declare("v128")];
  const panelStep = 2 * vectorBytes;
  const unrolled = 2;
  const finish = (sum: Local, rowScale: Code, half: number) => {
    const scaled = f32x4.mul(f32x4.mul(f32x4.convert(get(sum)), rowScale), v128.load(get(columnScales), half));
    return f32x4.add(scaled, v128.load(get(columnScales), half + panelStep));
  };
  return [
    set(aStride, i32.shiftLeft(get(pairs), i32.of(2))),
    set(bEnd, i32.add(get(b), i32.mul(get(pairs), i32.of(panelStep)))),
    set(outPlace, get(out)),
    countUp(
      row,
      get(rows),
      4,
      ...aRows.map((place, index) =>
        set(place, i32.add(get(a), i32.mul(i32.add(get(row), i32.of(index)), get(aStride)))),
      ),
      ...sums.map((sum) => set(sum, i32x4.zero())),
      set(bPlace, get(b)),
      countUp(
        bPlace,
        get(bEnd),
        panelStep * unrolled,
        ...Array.from({ length: unrolled }, (_, turn) => [
          ...set(b0, v128.load(get(bPlace), turn * panelStep)),
          ...set(b1, v128.load(get(bPlace), turn * panelStep + vectorBytes)),
          ...aRows.flatMap((place, index) => {
            const [sum0, sum1] = sums.slice(index * 2) as [Local, Local];
            return [
              ...set(aVector, v128.loadSplat(get(place), turn * 4)),
              ...set(sum0, i32x4.add(get(sum0), i32x4.dotInt16(get(aVector), get(b0)))),
              ...set(sum1, i32x4.add(get(sum1), i32x4.dotInt16(get(aVector), get(b1)))),
            ];
          }),
        ]),
        ...aRows.map((place) => add(place, i32.of(4 * unrolled))),
      ),
      ...aRows.flatMap((_, index) => {
        const halves = sums.slice(index * 2, index * 2 + 2);
        const rowScale = v128.loadSplat(i32.add(get(rowScales), i32.shiftLeft(get(row), i32.of(2))), index * 4);
        return [
          set(aVector, rowScale),
          ...halves.map((sum, half) => set(sum, finish(sum, get(aVector), half * vectorBytes))),
          when(
            i32.equal(get(mode), i32.of(productModes.add)),
            ...halves.map((sum, half) => set(sum, f32x4.add(get(sum), v128.load(get(outPlace), half * vectorBytes)))),
          ),
          when(
            i32.equal(get(mode), i32.of(productModes.storePositive)),
            ...halves.map((sum) => set(sum, f32x4.max(get(sum), f32x4.of(0)))),
          ),
          ...halves.map((sum, half) => v128.store(get(outPlace), get(sum), half * vectorBytes)),
          add(outPlace, get(outStride)),
        ];
      }),
    ),
  ];
});

function declareMany(scope: FunctionScope, type: "i32" | "v128", count: number): Local[] {
  return Array.from({ length: count }, () => scope.declare(type));
}
