/**
 * The model's weights in the form the network multiplies with, in one shared buffer for all threads: the matrices in
 * 16-bit numbers and panels of eight columns, each followed by its columns' scales and biases; the rest in float32.
 */
import { quantisedMost, quantisedNorm } from "../../../threads/simd/row-kernels.ts";

/** How wide the network is where: two layers, the first from 256 to 512. */
export const shape = { tokens: 8_002, embedding: 256, width: 512, hidden: 1_536, heads: 4, window: 128 } as const;

export const panelColumns = 8;
const int16Bytes = 2;
const floatBytes = 4;

const encoder = "module/Encoder_en/";
const applied = "module_apply_default/Encoder_en/";
const encode = "KonaTransformer/Encode/";
const concat = "/ConcatPartitions/concat";

interface MatrixSource {
  inputs: number;
  outputs: number;
  kernel: string;
  bias: string;
  /** The scalar by which the first third (the queries of an attention) is multiplied. */
  queryScale?: string;
}

interface NormSource {
  width: number;
  gain: string;
  bias: string;
}

function attentionSources(layer: number, inputs: number): Record<"queriesKeysValues" | "attentionOut", MatrixSource> {
  const name = `${encode}Layer_${layer}/TransformerLayer/MultiheadAttention/`;
  const transform = (part: string, outputs: number): MatrixSource => ({
    inputs,
    outputs,
    kernel: `${encoder}${name}${part}_transform_single/kernel/part_0`,
    bias: `${applied}${name}${part}_transform_single/bias${concat}`,
  });
  const queryScale = `${applied}${encode}TransformerStack/Layer_${layer}/TransformerLayer/MultiheadAttention/mul/y`;
  return {
    queriesKeysValues: { ...transform("qkv", 3 * inputs), queryScale },
    attentionOut: transform("output", shape.width),
  };
}

function feedForwardSources(layer: number): Record<"expand" | "contract", MatrixSource> {
  const source = (part: string, inputs: number, outputs: number): MatrixSource => ({
    inputs,
    outputs,
    kernel: `${applied}${encode}TransformerStack/Layer_${layer}/TransformerLayer/FFN/${part}/Tensordot/Reshape_1`,
    bias: `${applied}${encode}Layer_${layer}/TransformerLayer/FFN/${part}/bias${concat}`,
  });
  return { expand: source("conv1", shape.width, shape.hidden), contract: source("conv2", shape.hidden, shape.width) };
}

function normSource(place: string, width: number): NormSource {
  const name = `${applied}${encode}${place}layer_prepostprocess/layer_norm/layer_norm_`;
  return { width, gain: `${name}scale${concat}`, bias: `${name}bias${concat}` };
}

const first = { ...attentionSources(0, shape.embedding), ...feedForwardSources(0) };
const second = { ...attentionSources(1, shape.width), ...feedForwardSources(1) };

const matrixSources = {
  queriesKeysValues0: first.queriesKeysValues,
  attentionOut0: first.attentionOut,
  residual0: {
    inputs: shape.embedding,
    outputs: shape.width,
    kernel: `${applied}${encode}Layer_0/TransformerLayer/dense/kernel${concat}`,
    bias: `${applied}${encode}Layer_0/TransformerLayer/dense/bias${concat}`,
  },
  expand0: first.expand,
  contract0: first.contract,
  queriesKeysValues1: second.queriesKeysValues,
  attentionOut1: second.attentionOut,
  expand1: second.expand,
  contract1: second.contract,
  last: {
    inputs: shape.width,
    outputs: shape.width,
    kernel: `${encoder}hidden_layers/tanh_layer_0/weights`,
    bias: `${encoder}hidden_layers/tanh_layer_0/bias`,
  },
} satisfies Record<string, MatrixSource>;

const normSources = {
  attention0: normSource("Layer_0/TransformerLayer/", shape.embedding),
  feedForward0: normSource("Layer_0/TransformerLayer/FFN/", shape.width),
  attention1: normSource("Layer_1/TransformerLayer/", shape.width),
  feedForward1: normSource("Layer_1/TransformerLayer/FFN/", shape.width),
} satisfies Record<string, NormSource>;

const embeddingsName = "module/Embeddings_en";
const frequenciesName = `${applied}${encode}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`;

export type MatrixName = keyof typeof matrixSources;
export type NormName = keyof typeof normSources;

interface Matrix {
  inputs: number;
  outputs: number;
  /** One panel after another, all of the same size. */
  panels: Uint8Array;
  panelBytes: number;
}

export interface Weights {
  matrices: Record<MatrixName, Matrix>;
  /** Gain, then bias. */
  norms: Record<NormName, Float32Array>;
  /** Twice the token's vector: the network adds it once with and once without the timing. */
  embeddings: Float32Array;
  /** What is added for each place in a window. */
  timing: Float32Array;
}

/** Reads a tensor of the stored model by its name. */
export type ReadTensor = (name: string) => Float32Array;

export const weightsBytes = layOut(new SharedArrayBuffer(0)).bytes;

export function viewWeights(buffer: SharedArrayBuffer): Weights {
  return layOut(buffer).weights;
}

/** Fills the buffer from the stored model: about 10 million numbers, so it belongs into a thread. */
export function packWeights(buffer: SharedArrayBuffer, read: ReadTensor): void {
  const { matrices, norms, embeddings, timing } = viewWeights(buffer);
  for (const [name, source] of Object.entries(matrixSources)) packMatrix(matrices[name as MatrixName], source, read);
  for (const [name, { gain, bias, width }] of Object.entries(normSources)) {
    const norm = norms[name as NormName];
    norm.set(read(gain));
    norm.set(read(bias), width);
  }
  const vectors = read(embeddingsName);
  for (let i = 0; i < vectors.length; i++) embeddings[i] = 2 * (vectors[i] as number);
  const frequencies = read(frequenciesName);
  const half = shape.embedding / 2;
  for (let place = 0; place < shape.window; place++) {
    for (let i = 0; i < half; i++) {
      const angle = Math.fround(place * (frequencies[i] as number));
      timing[place * shape.embedding + i] = Math.sin(angle);
      timing[place * shape.embedding + half + i] = Math.cos(angle);
    }
  }
}

function layOut(buffer: SharedArrayBuffer): { weights: Weights; bytes: number } {
  let bytes = 0;
  const take = (size: number) => {
    const at = bytes;
    bytes += size;
    return at;
  };
  // While only the size is asked for, there is no buffer to look at.
  const isThere = buffer.byteLength > 0;
  const floats = (count: number) => {
    const at = take(count * floatBytes);
    return isThere ? new Float32Array(buffer, at, count) : new Float32Array(0);
  };
  const matrix = ({ inputs, outputs }: MatrixSource): Matrix => {
    const panelBytes = panelColumns * (inputs * int16Bytes + 2 * floatBytes);
    const size = (outputs / panelColumns) * panelBytes;
    const at = take(size);
    return { inputs, outputs, panelBytes, panels: isThere ? new Uint8Array(buffer, at, size) : new Uint8Array(0) };
  };
  const weights: Weights = {
    matrices: mapValues(matrixSources, matrix),
    norms: mapValues(normSources, ({ width }) => floats(2 * width)),
    embeddings: floats(shape.tokens * shape.embedding),
    timing: floats(shape.window * shape.embedding),
  };
  return { weights, bytes };
}

function packMatrix(matrix: Matrix, source: MatrixSource, read: ReadTensor): void {
  const { inputs, outputs, panels, panelBytes } = matrix;
  const kernel = read(source.kernel);
  const bias = read(source.bias);
  const queryScale = source.queryScale === undefined ? 1 : (read(source.queryScale)[0] as number);
  const column = new Float64Array(inputs);
  for (let panel = 0; panel < outputs / panelColumns; panel++) {
    const at = panels.byteOffset + panel * panelBytes;
    const numbers = new Int16Array(panels.buffer, at, inputs * panelColumns);
    const ends = new Float32Array(panels.buffer, at + numbers.byteLength, 2 * panelColumns);
    for (let c = 0; c < panelColumns; c++) {
      const output = panel * panelColumns + c;
      for (let i = 0; i < inputs; i++) column[i] = kernel[i * outputs + output] as number;
      const scale = quantisationScale(column);
      for (let i = 0; i < inputs; i++) {
        const pair = (i >> 1) * 2 * panelColumns;
        numbers[pair + 2 * c + (i & 1)] = Math.round((column[i] as number) * scale);
      }
      const factor = output < outputs / 3 ? queryScale : 1;
      ends[c] = factor / scale;
      ends[panelColumns + c] = factor * (bias[output] as number);
    }
  }
}

function quantisationScale(column: Float64Array): number {
  let squares = 0;
  let most = 0;
  for (const value of column) {
    squares += value * value;
    most = Math.max(most, Math.abs(value));
  }
  return Math.min(quantisedMost / most, quantisedNorm / Math.sqrt(squares));
}

function mapValues<Key extends string, From, To>(record: Record<Key, From>, map: (value: From) => To): Record<Key, To> {
  return Object.fromEntries(Object.entries<From>(record).map(([key, value]) => [key, map(value)])) as Record<Key, To>;
}
