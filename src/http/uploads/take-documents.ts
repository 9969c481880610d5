/** An upload becomes documents: its files in storage, their rows and jobs in one transaction, or nothing at all. */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { DocumentOptions, DocumentTitle } from "../../contract/documents.ts";
import { isConnectionError, wasNeverReached } from "../../db/database.ts";
import { DocmillError } from "../../errors.ts";
import { newId } from "../../jobs/new-id.ts";
import { originalKey } from "../../pipelines/documents/blob-keys.ts";
import type { CreatedDocuments } from "../../pipelines/documents/change-documents.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { type ArrivedFile, storeFile } from "../../pipelines/documents/store-file.ts";
import { invalidRequest } from "../errors.ts";
import { receiveUpload } from "./receive-upload.ts";

interface TakenFile extends ArrivedFile {
  documentId: string;
}

const FormFields = z.object({
  title: DocumentTitle.optional(),
  options: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "is not JSON" });
        return z.NEVER;
      }
    })
    .pipe(DocumentOptions)
    .optional(),
});

export async function takeDocuments(
  incoming: IncomingMessage,
  { services, actions }: Documents,
  idempotencyKey: string | undefined,
): Promise<CreatedDocuments> {
  const { blobs, limits } = services;
  const discard = (files: readonly TakenFile[]) => blobs.delete(files.map(({ blobKey }) => blobKey));
  const upload = await receiveUpload<TakenFile>(incoming, {
    maxFiles: limits.maxFilesPerRequest,
    async store(source, filename, place, signal) {
      const documentId = actions.chooseId(idempotencyKey, place);
      const key = originalKey(documentId, newId());
      const file = await storeFile(source, { blobs, key, filename, maxBytes: limits.maxFileBytes, signal });
      return { ...file, documentId };
    },
    discard,
  });
  if (upload.files.length === 0) {
    throw new DocmillError("NO_FILE", "The form has no file. Send it as multipart field `file`, with a file name.");
  }
  const files = upload.files.map(({ stored }) => stored);
  try {
    const { title, options = {} } = readFields(upload.fields);
    const created = await actions.create(
      upload.files.map(({ filename, stored: { documentId: id, ...file } }) => ({ id, filename, title, options, file })),
      idempotencyKey,
    );
    // The same request came before: its files are in storage already.
    if (!created.created) await discard(files);
    return created;
  } catch (error) {
    // After a lost connection nobody knows whether the documents are in; files that belong to none are swept up later.
    if (!isConnectionError(error) || wasNeverReached(error)) await discard(files);
    throw error;
  }
}

function readFields(fields: ReadonlyMap<string, string>): z.output<typeof FormFields> {
  const parsed = FormFields.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw invalidRequest("form", parsed.error);
  return parsed.data;
}
