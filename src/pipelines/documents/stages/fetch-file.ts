/** First stage: what is named by a url is fetched into storage, under the guard; what was uploaded is there already. */
import { downloadUrl } from "../../../download/fetch-url.ts";
import { TerminalError } from "../../../errors.ts";
import { type StageContext, sql } from "../../../jobs/index.ts";
import { originalKey } from "../blob-keys.ts";
import type { DocumentInput } from "../document-input.ts";
import type { DocumentServices } from "../document-services.ts";
import { storeFile } from "../store-file.ts";

export function fetchFile({ blobs, limits }: Pick<DocumentServices, "blobs" | "limits">) {
  return async ({ input, job, signal, commit }: StageContext<DocumentInput, object>) => {
    const { documentId, url } = input;
    if (url === undefined) return { fetched: false };
    const { maxFileBytes: maxBytes, fetchTimeoutMs: timeoutMs, fetchAllow: allow } = limits;
    const download = await downloadUrl(url, { signal, maxBytes, timeoutMs, allow });
    const filename = download.filename ?? "document";
    // The claim's number keeps a second try from writing over what a first one may still be writing.
    const key = originalKey(documentId, `${job.id}-${job.lease}`);
    const file = await storeFile(download.body, { blobs, key, filename, maxBytes, signal }).catch(nameSource);
    return commit(async (tx) => {
      const known = await tx.query(sql`
        update documents set filename = ${filename}, blob_key = ${file.blobKey}, format = ${file.format},
          content_type = ${file.contentType}, size = ${file.size}, sha256 = ${file.sha256}
        where id = ${documentId} returning id`);
      if (known.length === 0) throw new TerminalError("DOCUMENT_DELETED", "The document was deleted meanwhile.");
      return { fetched: true };
    });
  };
}

/** What cannot be read at all is said with its source. */
function nameSource(error: unknown): never {
  if (!(error instanceof TerminalError) || error.code !== "UNSUPPORTED_TYPE") throw error;
  throw new TerminalError(error.code, `What the url gives cannot be read: ${error.message}`, { cause: error });
}
