/** Finds the sample files and what they are samples of. Whatever of them is not there is told before any is used. */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DocmillError } from "../errors.ts";
import { manifestName, SampleManifest } from "./manifest.ts";

/** Beside `src` in a checkout, beside `dist` in the package. */
export const samplesFolder = fileURLToPath(new URL("../../samples", import.meta.url));

/** The manifest with whole paths in place of names. Throws SAMPLES_MISSING. */
export async function findSamples(folder: string): Promise<SampleManifest> {
  try {
    const manifest = SampleManifest.parse(JSON.parse(await readFile(join(folder, manifestName), "utf8")));
    const { documents, heatSheets, book } = manifest;
    const at = (file: string) => join(folder, file);
    const found: SampleManifest = {
      documents: documents.map(({ file, title }) => ({ file: at(file), title })),
      heatSheets: { ...heatSheets, files: heatSheets.files.map(at) },
      book: { ...book, pages: book.pages.map(at) },
    };
    const files = [...found.documents.map(({ file }) => file), ...found.heatSheets.files, ...found.book.pages];
    await Promise.all(files.map((file) => access(file)));
    return found;
  } catch (error) {
    const message = "The samples are not there, or not all of them. Make them with npm run build, then try again.";
    throw new DocmillError("SAMPLES_MISSING", message, { cause: error });
  }
}
