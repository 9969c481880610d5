/**
 * The Universal Sentence Encoder (lite): two transformer layers over the tokens of a window, their mean, one dense layer
 * with tanh. Several windows are stacked into one matrix, so that every panel of weights is fetched once for all of
 * them; a window's vector does not depend on the others, to the bit.
 */
import { productModes } from "../../../threads/simd/matrix-kernels.ts";
import { openKernels } from "../../../threads/simd/open-kernels.ts";
import { type MatrixName, type NormName, panelColumns, shape, type Weights } from "./weights.ts";

export interface Network {
  /** The vectors of windows of at most 128 tokens, of length 1. */
  run(windows: readonly Int32Array[]): Float32Array[];
}

/** Rows of tokens in one go: what is between two layers still fits into a core's second cache. */
const rowsAtOnce = 256;
/** The kernels take rows by fours; each window starts on such a row. */
const rowStep = 4;
const floatBytes = 4;
const int16Bytes = 2;
/** Of the scales of a panel's columns; as many are their biases. */
const panelScaleBytes = panelColumns * floatBytes;

interface Placed {
  tokens: Int32Array;
  row: number;
}

export function createNetwork(weights: Weights): Network {
  const { places, bytes } = planMemory();
  const kernels = openKernels(bytes);
  const floats = new Float32Array(kernels.memory);
  const memoryBytes = new Uint8Array(kernels.memory);
  const floatsAt = (address: number, length: number) =>
    floats.subarray(address / floatBytes, address / floatBytes + length);

  return {
    run(windows) {
      const vectors: Float32Array[] = [];
      let waiting: Placed[] = [];
      let rows = 0;
      const flush = () => {
        if (waiting.length > 0) vectors.push(...runStack(waiting, rows));
        waiting = [];
        rows = 0;
      };
      for (const tokens of windows) {
        if (rows + roundUp(tokens.length) > rowsAtOnce || waiting.length === rowsAtOnce) flush();
        waiting.push({ tokens, row: rows });
        rows += roundUp(tokens.length);
      }
      flush();
      return vectors;
    },
  };

  function runStack(windows: readonly Placed[], rows: number): Float32Array[] {
    const { input, state, attended } = places;
    placeTokens(windows);
    normalise("attention0", input, rows);
    attend("queriesKeysValues0", windows, rows);
    multiply("attentionOut0", attended, rows, state, productModes.store);
    multiply("residual0", input, rows, state, productModes.add);
    feedForward("feedForward0", "expand0", "contract0", rows);
    normalise("attention1", state, rows);
    attend("queriesKeysValues1", windows, rows);
    multiply("attentionOut1", attended, rows, state, productModes.add);
    feedForward("feedForward1", "expand1", "contract1", rows);
    return finish(windows);
  }

  function placeTokens(windows: readonly Placed[]): void {
    const width = shape.embedding;
    const { embeddings, timing } = weights;
    for (const { tokens, row } of windows) {
      const target = floatsAt(places.input + row * width * floatBytes, roundUp(tokens.length) * width);
      tokens.forEach((token, place) => {
        const from = token * width;
        const at = place * width;
        for (let i = 0; i < width; i++) target[at + i] = (embeddings[from + i] as number) + (timing[at + i] as number);
      });
      target.fill(0, tokens.length * width);
    }
  }

  function normalise(name: NormName, from: number, rows: number): void {
    const norm = weights.norms[name];
    const width = norm.length / 2;
    floatsAt(places.norm, norm.length).set(norm);
    kernels.normaliseRows(from, places.normal, rows, width, places.norm, places.norm + width * floatBytes);
  }

  function feedForward(norm: NormName, expand: MatrixName, contract: MatrixName, rows: number): void {
    const { state, normal, wide } = places;
    normalise(norm, state, rows);
    multiply(expand, normal, rows, wide, productModes.storePositive);
    multiply(contract, wide, rows, state, productModes.add);
  }

  function attend(matrix: MatrixName, windows: readonly Placed[], rows: number): void {
    const { wide, attended, scores, normal } = places;
    const width = weights.matrices[matrix].inputs;
    const stride = 3 * width * floatBytes;
    const headWidth = width / shape.heads;
    const scoreStride = shape.window * floatBytes;
    multiply(matrix, normal, rows, wide, productModes.store);
    for (const { tokens, row } of windows) {
      const height = roundUp(tokens.length);
      for (let head = 0; head < shape.heads; head++) {
        const queries = wide + row * stride + head * headWidth * floatBytes;
        const keys = queries + width * floatBytes;
        const values = keys + width * floatBytes;
        const out = attended + (row * width + head * headWidth) * floatBytes;
        kernels.dotRows(queries, stride, height, keys, stride, height, scores, scoreStride, headWidth);
        kernels.softmaxRows(scores, scoreStride, height, tokens.length);
        kernels.multiplyFloats(
          scores,
          scoreStride,
          height,
          values,
          stride,
          headWidth,
          out,
          width * floatBytes,
          tokens.length,
        );
      }
    }
  }

  function multiply(name: MatrixName, from: number, rows: number, to: number, mode: number): void {
    const { inputs, outputs, panels, panelBytes } = weights.matrices[name];
    const { quantised, scales, panel } = places;
    kernels.quantiseRows(from, quantised, rows, inputs, scales);
    const columnScales = panel + panelBytes - 2 * panelScaleBytes;
    const stride = outputs * floatBytes;
    for (let at = 0, out = to; at < panels.length; at += panelBytes, out += panelScaleBytes) {
      memoryBytes.set(panels.subarray(at, at + panelBytes), panel);
      kernels.multiplyQuantised(quantised, scales, rows, panel, columnScales, out, stride, inputs / 2, mode);
    }
  }

  /** The mean of each window's tokens through the last layer. */
  function finish(windows: readonly Placed[]): Float32Array[] {
    const { width } = shape;
    const means = floatsAt(places.normal, roundUp(windows.length) * width).fill(0);
    windows.forEach(({ tokens, row }, window) => {
      const mean = means.subarray(window * width, (window + 1) * width);
      const state = floatsAt(places.state + row * width * floatBytes, tokens.length * width);
      for (let at = 0; at < state.length; at += width) {
        for (let i = 0; i < width; i++) (mean[i] as number) += state[at + i] as number;
      }
      for (let i = 0; i < width; i++) (mean[i] as number) /= Math.max(1, tokens.length);
    });
    multiply("last", places.normal, roundUp(windows.length), places.wide, productModes.store);
    return windows.map((_, window) => {
      const vector = floatsAt(places.wide + window * width * floatBytes, width).map(Math.tanh);
      return normaliseVector(vector);
    });
  }
}

/** Brings a vector to length 1. */
export function normaliseVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

function roundUp(rows: number): number {
  return Math.ceil(rows / rowStep) * rowStep;
}

/** Addresses in the thread's own memory, and its size. */
function planMemory() {
  let bytes = 0;
  const take = (size: number) => {
    const at = bytes;
    bytes += Math.ceil(size / 64) * 64;
    return at;
  };
  const { embedding, width, hidden, window } = shape;
  const places = {
    input: take(rowsAtOnce * embedding * floatBytes),
    state: take(rowsAtOnce * width * floatBytes),
    /** Rows after a layer norm. */
    normal: take(rowsAtOnce * width * floatBytes),
    attended: take(rowsAtOnce * width * floatBytes),
    /** Queries, keys and values side by side, or the wide middle of a feed-forward. */
    wide: take(rowsAtOnce * hidden * floatBytes),
    quantised: take(rowsAtOnce * hidden * int16Bytes),
    scales: take(rowsAtOnce * floatBytes),
    scores: take(window * window * floatBytes),
    norm: take(2 * width * floatBytes),
    panel: take(hidden * panelColumns * int16Bytes + 2 * panelScaleBytes),
  };
  return { places, bytes };
}
