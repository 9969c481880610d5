/**
 * Starts the samples as if a person had brought them: documents, a batch of heat sheets and a book, through what uploads go
 * through too. All of them, or none: if one is refused, the others are taken back. Under a key everything has an id that
 * follows from it; nothing is taken back then, because whoever comes with the key again goes on where it stopped.
 */
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { StartedSamples } from "../contract/system.ts";
import { sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import { derivedId, newId } from "../jobs/index.ts";
import type { Books } from "../pipelines/books/books.ts";
import { readBook } from "../pipelines/books/read-books.ts";
import { type StoredScan, storeScan } from "../pipelines/books/store-scan.ts";
import { withUpload } from "../pipelines/books/with-upload.ts";
import { originalKey } from "../pipelines/documents/blob-keys.ts";
import type { Documents } from "../pipelines/documents/documents.ts";
import { type ArrivedFile, storeFile } from "../pipelines/documents/store-file.ts";
import { uploadKey } from "../pipelines/heats/blob-keys.ts";
import type { NewSheet } from "../pipelines/heats/change-batches.ts";
import type { Heats } from "../pipelines/heats/heats.ts";
import { type StoredPdf, storePdf } from "../pipelines/heats/store-pdf.ts";
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
  idempotencyKey?: string,
): Promise<StartedSamples> {
  const key = idempotencyKey === undefined ? undefined : `samples:${idempotencyKey}`;
  return orTakenBack(async (takeBack) => {
    const { pages, ...book } = samples.book;
    const bookId = await books.actions.create(book, key === undefined ? undefined : derivedId("book", key));
    if (key === undefined) takeBack.defer(() => books.actions.delete(bookId));
    // Its pages come last.
    else if ((await readBook(books.services.db, bookId)).total_pages > 0) {
      const documentIds = samples.documents.map((_, place) => documents.actions.chooseId(key, place));
      return { documentIds, bookId, batchId: await findStartedBatch(heats, key) };
    }
    return withUpload(books.services, bookId, async (upload, lost) => {
      const scans: StoredScan[] = [];
      const { blobs, limits } = books.services;
      for (const [place, path] of pages.entries()) {
        const fileNum = upload.nextFile + place;
        const options = { blobs, bookId, fileNum, filename: basename(path), maxBytes: limits.maxImageBytes };
        scans.push(await storeScan(createReadStream(path), { ...options, signal: lost }));
      }
      const documentIds = await addDocuments(documents, samples.documents, key);
      takeBack.defer(async () => {
        for (const id of key === undefined ? documentIds : []) await documents.actions.delete(id);
      });
      const batchId = await addBatch(heats, samples.heatSheets, key);
      takeBack.defer(async () => {
        if (key === undefined) await heats.actions.cancel(batchId);
      });
      // Last: a book that is being read cannot be taken back.
      lost.throwIfAborted();
      await books.pages.addMany(upload, scans);
      return { documentIds, bookId, batchId };
    });
  });
}

function addDocuments(
  { services, actions }: Documents,
  samples: SampleManifest["documents"],
  idempotencyKey: string | undefined,
): Promise<string[]> {
  const { blobs, limits } = services;
  return orTakenBack(async (takeBack) => {
    const added: { id: string; filename: string; title: string; options: object; file: ArrivedFile }[] = [];
    for (const [place, { file: path, title }] of samples.entries()) {
      const id = actions.chooseId(idempotencyKey, place);
      const [key, filename] = [originalKey(id, newId()), basename(path)];
      const file = await storeFile(createReadStream(path), { blobs, key, filename, maxBytes: limits.maxFileBytes });
      takeBack.defer(() => blobs.delete([key]));
      added.push({ id, filename, title, options: {}, file });
    }
    const { ids, created } = await actions.create(added, idempotencyKey);
    // They came before: their files are in storage already.
    if (!created) await blobs.delete(added.map(({ file }) => file.blobKey));
    return ids;
  });
}

function addBatch(
  { services, actions }: Heats,
  { swimmer, files }: SampleManifest["heatSheets"],
  idempotencyKey: string | undefined,
): Promise<string> {
  const { blobs, limits } = services;
  return orTakenBack(async (takeBack) => {
    const id = actions.chooseId();
    const sheets: (NewSheet & { file: StoredPdf })[] = [];
    for (const [place, path] of files.entries()) {
      const [key, filename] = [uploadKey(id, place), basename(path)];
      const file = await storePdf(createReadStream(path), { blobs, key, filename, maxBytes: limits.maxPdfBytes });
      takeBack.defer(() => blobs.delete([key]));
      sheets.push({ filename, file });
    }
    const request = { id, swimmerName: swimmer, extractor: "auto", sheets } as const;
    const { id: batchId, created } = await actions.create(request, idempotencyKey);
    if (!created) await blobs.delete(sheets.map(({ file }) => file.blobKey));
    return batchId;
  });
}

async function findStartedBatch({ services }: Heats, idempotencyKey: string): Promise<string> {
  const [known] = await services.db.query<{ batchId: string }>(
    sql`select batch_id from idempotency_keys where key = ${idempotencyKey}`,
  );
  if (known) return known.batchId;
  throw new DocmillError("NOT_FOUND", "What was started under this key has been removed. Start again under another.");
}
