/** What a document's job is told. The rest it reads from the document's row. */
import { z } from "zod";
import { DocumentOptions } from "../../contract/documents.ts";

export const DocumentInput = z.object({
  documentId: z.uuid(),
  /** Which rows of pages, fields and tables are this run's. */
  generation: z.int().min(1).max(2_147_483_647),
  options: DocumentOptions.default({}),
  /** Where the file is fetched from, if it is not in storage yet. */
  url: z.string().optional(),
  /** Tells one request from another under the same Idempotency-Key. */
  request: z.string().optional(),
});
export type DocumentInput = z.infer<typeof DocumentInput>;
