/** The thread in which pages are prepared and, where Tesseract comes as WebAssembly, recognised. */
import { readFile } from "node:fs/promises";
import { createOCREngine, type OCREngine, supportsFastBuild } from "tesseract-wasm";
import { serveTasks, Transferred, threadSettings } from "../../../threads/serve-tasks.ts";
import type { PageImage, RecognisedPage } from "../ocr-engine.ts";
import { type FoundWord, meanConfidence } from "./place-words.ts";
import { type PreparedPage, preparePage } from "./prepare-page.ts";
import { readLanguage } from "./read-language.ts";
import { readPrepared } from "./read-prepared.ts";

export type OcrTasks = {
  prepare: (page: PageImage) => Promise<Transferred<PreparedPage>>;
  recognise: (page: PageImage) => Promise<RecognisedPage>;
};

export interface OcrThreadSettings {
  /** Files with the data of the languages to read, the likeliest first. */
  languageFiles: string[];
}

/** A page read worse than this in one language is tried in the next. */
const goodConfidence = 0.8;

// Tesseract tells of every page's resolution and diacritics, and its build offers no other way to make it silent.
console.warn = () => {};

const engines = new Map<string, Promise<OCREngine>>();

const tasks: OcrTasks = {
  async prepare(page) {
    const prepared = await preparePage(page);
    return new Transferred(prepared, [prepared.image.data.buffer]);
  },
  async recognise(page) {
    return readPrepared(await preparePage(page), recogniseInAnyLanguage);
  },
};

serveTasks(tasks);

async function recogniseInAnyLanguage(page: PreparedPage): Promise<FoundWord[]> {
  let best: FoundWord[] = [];
  for (const file of threadSettings<OcrThreadSettings>().languageFiles) {
    const found = recogniseWith(await useEngine(file), page);
    if (meanConfidence(found) >= meanConfidence(best)) best = found;
    if (meanConfidence(best) >= goodConfidence) break;
  }
  return best;
}

function recogniseWith(engine: OCREngine, { image }: PreparedPage): FoundWord[] {
  engine.loadImage({ data: toRgba(image.data), width: image.width, height: image.height });
  try {
    return engine
      .getTextBoxes("word")
      .map(({ text, confidence, rect }) => ({ text: text.trim(), confidence, ...rect }));
  } finally {
    engine.clearImage();
  }
}

function useEngine(languageFile: string): Promise<OCREngine> {
  let engine = engines.get(languageFile);
  if (!engine) {
    engine = startEngine(languageFile);
    engines.set(languageFile, engine);
  }
  return engine;
}

async function startEngine(languageFile: string): Promise<OCREngine> {
  const build = supportsFastBuild() ? "tesseract-core.wasm" : "tesseract-core-fallback.wasm";
  const engine = await createOCREngine({
    wasmBinary: await readFile(new URL(build, import.meta.resolve("tesseract-wasm"))),
  });
  engine.loadModel(await readLanguage(languageFile));
  return engine;
}

function toRgba(grey: Uint8Array): Uint8ClampedArray {
  const pixels = new Uint32Array(grey.length);
  for (let index = 0; index < grey.length; index++) pixels[index] = 0xff000000 | ((grey[index] as number) * 0x010101);
  return new Uint8ClampedArray(pixels.buffer);
}
