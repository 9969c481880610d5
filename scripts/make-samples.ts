/**
 * Makes the sample files that `docmill demo` and the web page start: documents, heat sheets and the scans of a book, with the
 * manifest that says which is what. Everything in them is invented. The same files, byte for byte, every time.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestName, type SampleManifest } from "../src/samples/manifest.ts";
import { makeDocuments } from "./samples/make-documents.ts";
import { makeHeatSheets } from "./samples/make-heat-sheets.ts";
import { makeTextbook } from "./samples/make-textbook.ts";

/** A file with its place below the folder of samples. */
export interface SampleFile {
  file: string;
  bytes: Uint8Array;
}

export async function makeSamples(folder: string): Promise<SampleManifest> {
  const [documents, sheets, book] = [await makeDocuments(), makeHeatSheets(), await makeTextbook()];
  const manifest: SampleManifest = {
    documents: documents.map(({ file, title }) => ({ file, title })),
    heatSheets: { swimmer: sheets.swimmer, files: sheets.files.map(({ file }) => file) },
    book: { ...book.about, pages: book.pages.map(({ file }) => file) },
  };
  await rm(folder, { recursive: true, force: true });
  for (const { file, bytes } of [...documents, ...sheets.files, ...book.pages]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), bytes);
  }
  // Last: a folder with a manifest is whole.
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

if (import.meta.main) await makeSamples(fileURLToPath(new URL("../samples", import.meta.url)));
