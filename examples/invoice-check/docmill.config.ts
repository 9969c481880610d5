/** A back office: every PDF that has been read is checked as an invoice. Step by step in README.md. */
import { docmill } from "docmill";
import { clarify, invoiceCheck } from "./invoice-check.ts";
import { letterTriples } from "./letter-triples.ts";

export default docmill({
  pipelines: [invoiceCheck, clarify],
  providers: {
    // Slowed down, there is time to watch it and to pull the plug.
    embeddings: letterTriples({ pauseMs: Number(process.env.PAUSE_MS ?? 0) }),
  },
  // The letters that `clarify` writes are markdown: without the condition they would be checked too.
  afterDocument: ({ id, format }) => (format === "pdf" ? [invoiceCheck.job({ documentId: id })] : []),
});
