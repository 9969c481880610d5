/**
 * Starts the samples as if a person had brought them: documents, a batch of heat sheets and a book, through what uploads go
 * through too. All of them, or none: if one is refused, the others are taken back.
 */
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { StartedSamples } from "../contract/system.ts";
import { newId } from "../jobs/index.ts";
import type { Books } from "../pipelines/books/books.ts";
import { type StoredScan, storeScan } from "../pipelines/books/store-scan.ts";
import { withUpload } from "../pipelines/books/with-upload.ts";
import { originalKey } from "../pipelines/documents/blob-keys.ts";
import type { Documents } from "../pipelines/documents/documents.ts";
import { type ArrivedFile, storeFile } from "../pipelines/documents/store-file.ts";
import { uploadKey } from "../pipelines/heats/blob-keys.ts";
import type { NewSheet } from "../pipelines/heats/change-batches.ts";
import type { Heats } from "../pipelines/heats/heats.ts";
import { storePdf } from "../pipelines/heats/store-pdf.ts";
import type { SampleManifest } from "./manifest.ts";
import { orTakenBack } from "./or-taken-back.ts";

export interface SampleServices {
  documents: Documents;
  heats: Heats;
  books: Books;
}

export function startSamples(
  { documents, heats, books }: SampleServices,
  samples: SampleManifest,
): Promise<StartedSamples> {
  return orTakenBack(async (takeBack) => {
    const { pages, ...book } = samples.book;
    const bookId = await books.actions.create(book);
    takeBack.defer(() => books.actions.delete(bookId));
    return withUpload(books.services, bookId, async (upload, lost) => {
      const scans: StoredScan[] = [];
      const { blobs, limits } = books.services;
      for (const [place, path] of pages.entries()) {
        const fileNum = upload.nextFile + place;
        const options = { blobs, bookId, fileNum, filename: basename(path), maxBytes: limits.maxImageBytes };
        scans.push(await storeScan(createReadStream(path), { ...options, signal: lost }));
      }
      const documentIds = await addDocuments(documents, samples.documents);
      takeBack.defer(async () => {
        for (const id of documentIds) await documents.actions.delete(id);
      });
      const batchId = await addBatch(heats, samples.heatSheets);
      takeBack.defer(async () => {
        await heats.actions.cancel(batchId);
      });
      // Last: a book that is being read cannot be taken back.
      lost.throwIfAborted();
      await books.pages.addMany(upload, scans);
      return { documentIds, bookId, batchId };
    });
  });
}

function addDocuments({ services, actions }: Documents, samples: SampleManifest["documents"]): Promise<string[]> {
  const { blobs, limits } = services;
  return orTakenBack(async (takeBack) => {
    const added: { id: string; filename: string; title: string; options: object; file: ArrivedFile }[] = [];
    for (const [place, { file: path, title }] of samples.entries()) {
      const id = actions.chooseId(undefined, place);
      const [key, filename] = [originalKey(id, newId()), basename(path)];
      const file = await storeFile(createReadStream(path), { blobs, key, filename, maxBytes: limits.maxFileBytes });
      takeBack.defer(() => blobs.delete([key]));
      added.push({ id, filename, title, options: {}, file });
    }
    return (await actions.create(added)).ids;
  });
}

function addBatch({ services, actions }: Heats, { swimmer, files }: SampleManifest["heatSheets"]): Promise<string> {
  const { blobs, limits } = services;
  return orTakenBack(async (takeBack) => {
    const id = actions.chooseId();
    const sheets: NewSheet[] = [];
    for (const [place, path] of files.entries()) {
      const [key, filename] = [uploadKey(id, place), basename(path)];
      const file = await storePdf(createReadStream(path), { blobs, key, filename, maxBytes: limits.maxPdfBytes });
      takeBack.defer(() => blobs.delete([key]));
      sheets.push({ filename, file });
    }
    await actions.create({ id, swimmerName: swimmer, extractor: "auto", sheets });
    return id;
  });
}
