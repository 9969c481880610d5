/** What `samples/manifest.json` says: which of the files beside it are samples of what. `npm run samples` writes it. */
import { z } from "zod";
import { NewBook } from "../contract/books.ts";

const File = z.string().min(1).describe("Below the folder of the manifest, with slashes.");

export const SampleManifest = z.object({
  documents: z.array(z.object({ file: File, title: z.string().min(1) })).min(1),
  heatSheets: z.object({
    /** Who swims in all of them. */
    swimmer: z.string().min(1),
    files: z.array(File).min(1),
  }),
  book: NewBook.extend({ pages: z.array(File).min(1).describe("Scans, in the natural order of their names.") }),
});
export type SampleManifest = z.output<typeof SampleManifest>;

export const manifestName = "manifest.json";
