/** Documents as a user's pipeline sees them: it reads what was made of them and brings in new ones. */
import type { Readable } from "node:stream";
import {
  type DocumentChunk,
  type DocumentField,
  DocumentOptions,
  type DocumentSummary,
  type DocumentTable,
  DocumentTitle,
  type PageQuery,
} from "../../contract/documents.ts";
import { RetryableError, TerminalError } from "../../errors.ts";
import { derivedId, isUuid, newId } from "../../jobs/index.ts";
import { readText } from "../../storage/blob-text.ts";
import { type FileContent, toParts } from "../../storage/job-files.ts";
import { originalKey } from "./blob-keys.ts";
import type { Documents } from "./documents.ts";
import { documentNotFound } from "./queries/find-document-job.ts";
import { findFile } from "./queries/find-file.ts";
import { readDocumentsById } from "./read-documents.ts";
import { findMarkdown, readChunks, readFields, readTables } from "./read-results.ts";
import { storeFile } from "./store-file.ts";

export interface AddedDocument {
  filename: string;
  content: FileContent;
  title?: string;
  options?: DocumentOptions;
  /** Tells the documents that a job adds apart: with the same key it adds one, however often it runs. The file name, if left out. */
  key?: string;
}

export interface DocumentAccess {
  /** Whatever its state. Throws NOT_FOUND. */
  get(id: string): Promise<DocumentSummary>;
  /**
   * A document that has been read. While it is being read this throws a retryable NOT_READY, so that the job tries again
   * later and holds no slot meanwhile; DOCUMENT_NOT_READ if reading failed or was cancelled.
   */
  ready(id: string): Promise<DocumentSummary>;
  markdown(id: string): Promise<string>;
  /** Labels with their values, as they were found on the pages. */
  fields(id: string): Promise<DocumentField[]>;
  tables(id: string): Promise<DocumentTable[]>;
  /** Its passages, in order. */
  chunks(id: string): Promise<DocumentChunk[]>;
  /** The file it was made of. */
  original(id: string): Promise<Readable>;
  /** Brings in a document, which is then read by a job of its own. `created` is false where it was there already. */
  add(document: AddedDocument): Promise<{ id: string; created: boolean }>;
}

/** When to look again at a document that is still being read. */
const lookAgainMs = 2_000;
const portion = 500;

export function openDocumentAccess(
  { services, actions }: Pick<Documents, "services" | "actions">,
  job: { id: string },
  signal: AbortSignal,
): DocumentAccess {
  const { db, blobs, embedder, limits } = services;

  return {
    get,
    async ready(id) {
      const document = await get(id);
      const { status, filename, errorMessage } = document;
      if (status === "Ready") return document;
      if (status === "Processing") {
        const message = `The document ${filename} is still being read.`;
        throw new RetryableError("NOT_READY", message, { retryAfterMs: lookAgainMs });
      }
      const message = `The document ${filename} is ${status.toLowerCase()}${errorMessage ? `: ${errorMessage}` : "."}`;
      throw new TerminalError("DOCUMENT_NOT_READ", message);
    },
    async markdown(id) {
      return readText(blobs, (await findMarkdown(db, check(id))).key);
    },
    fields: (id) => readAll((query) => readFields(db, check(id), query)),
    tables: (id) => readAll((query) => readTables(db, check(id), query)),
    chunks: (id) => readAll((query) => readChunks(db, check(id), query, embedder.model)),
    async original(id) {
      return blobs.get((await findFile(db, check(id))).blobKey, { signal });
    },
    async add({ filename: given, content, title, options = {}, key = given }) {
      const filename = DocumentTitle.parse(given);
      const idempotencyKey = derivedId("document of a job", job.id, key);
      const id = actions.chooseId(idempotencyKey, 0);
      const blobKey = originalKey(id, newId());
      const maxBytes = limits.maxFileBytes;
      const file = await storeFile(toParts(content), { blobs, key: blobKey, filename, maxBytes, signal });
      const described = { id, filename, title: title && DocumentTitle.parse(title), file };
      // If this fails, nobody knows whether the document is in; a file that belongs to none is swept up later.
      const { created } = await actions.create(
        [{ ...described, options: DocumentOptions.parse(options) }],
        idempotencyKey,
      );
      if (!created) await blobs.delete([blobKey]);
      return { id, created };
    },
  };

  async function get(id: string): Promise<DocumentSummary> {
    const [document] = await readDocumentsById(db, [check(id)]);
    if (!document) throw documentNotFound(id);
    return document;
  }
}

function check(id: string): string {
  if (!isUuid(id)) throw new TerminalError("NOT_FOUND", `${JSON.stringify(String(id).slice(0, 100))} is no document.`);
  return id;
}

async function readAll<Item>(
  read: (query: PageQuery) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await read({ limit: portion, cursor });
    all.push(...items);
    if (nextCursor === null) return all;
    cursor = nextCursor;
  }
}
