/**
 * Passages of real documents with the vectors the default model gives them. The corpus has fewer than a large library, so
 * one is made of three windows of a document, the second and third from not far behind the first, and every window
 * stands in several. Its vector is the mean of theirs, which is what the model makes of a text that is longer than its
 * window.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEmbedder } from "../../src/providers/embeddings/local/open-local-embedder.ts";
import { readOutput } from "../harness/programs.ts";
import type { PassageSource } from "./fill-library.ts";
import { seededRandom } from "./random.ts";

/** Fits the model's window of 128 tokens nearly always. */
const wordsPerWindow = 60;
/** Windows overlap by half, as passages of a document do that is there in two editions. */
const wordsBetween = 30;
const windowsPerPassage = 3;
/** In how many passages a window comes first. */
const passagesPerWindow = 4;
/** How far behind the first of a passage the others may lie. */
const furthest = 40;
const threads = 2;
const seed = 40;

interface Window {
  document: number;
  text: string;
  vector: Float32Array;
}

/** So many passages, and no more than the corpus gives: they begin again then, with other windows behind the first. */
export async function embedRealPassages(corpus: string, passages: number): Promise<PassageSource> {
  const windows = await embedWindows(await cutDocuments(corpus, Math.ceil(passages / passagesPerWindow)));
  const random = seededRandom(seed);
  let made = 0;
  const makePassage = () => {
    const first = Math.floor(made++ / passagesPerWindow) % windows.length;
    const chosen = [first];
    while (chosen.length < windowsPerPassage) {
      const next = first + 2 + Math.floor(random.next() * furthest);
      // Behind the last of a document its earlier ones are as good.
      chosen.push(windows[next]?.document === windows[first]?.document ? next : Math.max(0, 2 * first - next));
    }
    const parts = chosen.map((place) => windows[place] as Window);
    return { content: parts.map(({ text }) => text).join(" "), vector: meanOf(parts.map(({ vector }) => vector)) };
  };
  return { openDocument: () => makePassage };
}

/** Windows of text in the order of their documents; where there are more than wanted, evenly chosen from all of them. */
async function cutDocuments(corpus: string, wanted: number): Promise<Omit<Window, "vector">[]> {
  const windows = new Map<string, number>();
  const files = (await readdir(join(corpus, "pdf"))).filter((file) => file.endsWith(".pdf")).sort();
  for (const [document, file] of files.entries()) {
    const read = await readOutput("pdftotext", [join(corpus, "pdf", file), "-"]).catch(() => "");
    const words = read.split(/\s+/);
    for (let first = 0; first + wordsPerWindow <= words.length; first += wordsBetween) {
      const text = words.slice(first, first + wordsPerWindow).join(" ");
      if (!windows.has(text)) windows.set(text, document);
    }
  }
  const all = [...windows].map(([text, document]) => ({ document, text }));
  const stride = Math.max(1, all.length / wanted);
  return Array.from({ length: Math.min(wanted, all.length) }, (_, place) => all[Math.floor(place * stride)] as Window);
}

async function embedWindows(windows: readonly Omit<Window, "vector">[]): Promise<Window[]> {
  const { vectors } = await embedLocally(windows.map(({ text }) => text));
  return windows.map((window, place) => ({ ...window, vector: vectors[place] as Float32Array }));
}

/** By the model that comes with Docmill. */
export async function embedLocally(texts: readonly string[]): Promise<{ model: string; vectors: Float32Array[] }> {
  const embedder = openLocalEmbedder({ threads });
  const context = {
    signal: new AbortController().signal,
    remember: () => Promise.reject(new Error("the local model pays for nothing")),
  };
  try {
    return { model: embedder.model, vectors: await embedder.embed(texts, context) };
  } finally {
    await embedder.close();
  }
}

/** Of length 1. */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number);
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}
