/** Where a document's file is and what it is. */

import { TerminalError } from "../../../errors.ts";
import type { Format } from "../../../formats/format.ts";
import { type Database, sql } from "../../../jobs/index.ts";

export interface StoredFile {
  blobKey: string;
  format: Format;
  contentType: string;
  size: number;
  sha256: string;
  filename: string;
  /** The run whose results are the document's now. */
  generation: number;
}

/** Throws DOCUMENT_DELETED where there is none any more. */
export async function findFile(db: Pick<Database, "query">, documentId: string): Promise<StoredFile> {
  const [file] = await db.query<StoredFile>(sql`
    select blob_key, format, content_type, size, sha256, filename, generation from documents
    where id = ${documentId} and blob_key is not null`);
  if (!file) throw new TerminalError("DOCUMENT_DELETED", "The document was deleted meanwhile.");
  return file;
}
