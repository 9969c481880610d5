/** Kinds of jobs in words for people who have never heard of jobs. */
import { formatName } from "../../parts/format.ts";

const names: Record<string, string> = {
  document: "Reading a document",
  detect_connections: "Finding connections between documents",
  reembed_document: "Preparing documents for search by meaning",
  document_ready: "Starting what follows a document",
  heat_sheet: "Reading a heat sheet",
  batch_mail: "Sending mail about heat sheets",
  batch_webhook: "Telling another service about heat sheets",
  ocr_batch: "Reading scanned pages",
  extraction: "Writing guidelines",
  finalization: "Finishing guidelines",
};

/** A kind that Docmill does not bring along is named as its author named it. */
export function nameOfKind(kind: string): string {
  return Object.hasOwn(names, kind) ? (names[kind] as string) : formatName(kind);
}
