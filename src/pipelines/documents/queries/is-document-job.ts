/** Jobs that work on a document. Spelled out, because only constants let the planner use the index of a document's jobs. */
import { sql } from "../../../jobs/index.ts";

export const isDocumentJob = sql`kind in ('document', 'detect_connections', 'reembed_document')`;
