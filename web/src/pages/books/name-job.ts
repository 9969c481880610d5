/** What people call the jobs of a book, and what these count. */
import type { BookJobType } from "../../../../src/contract/books.ts";

const names: Record<BookJobType, string> = {
  ocr_batch: "OCR",
  extraction: "Guidelines",
  finalization: "Finalization",
};

export function nameJob(type: BookJobType): string {
  return names[type];
}

export function itemOf(type: BookJobType): "page" | "subtopic" {
  return type === "finalization" ? "subtopic" : "page";
}
