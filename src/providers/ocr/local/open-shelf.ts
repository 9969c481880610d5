/**
 * Tells the native Tesseract which languages to read and where they lie. It looks in one folder only: when some of them
 * lie elsewhere, or are gzipped, a temporary folder holds them all until it is closed.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageData } from "./find-languages.ts";
import { readLanguage } from "./read-language.ts";

export interface Shelf {
  /** For Tesseract's command line. */
  arguments: readonly string[];
  close(): Promise<void>;
}

export async function openShelf(languages: readonly LanguageData[]): Promise<Shelf> {
  const names = ["-l", languages.map(({ name }) => name).join("+")];
  if (languages.every(({ onShelf }) => onShelf)) return { arguments: names, close: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), "docmill-tessdata-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    for (const { name, file } of languages)
      await writeFile(join(folder, `${name}.traineddata`), await readLanguage(file));
  } catch (error) {
    await close();
    throw error;
  }
  return { arguments: ["--tessdata-dir", folder, ...names], close };
}
