/** What OCR made of a page, in its row. */
import { sql, type Transaction } from "../../../jobs/index.ts";
import type { ScannedText } from "../scan-page.ts";

export async function saveScan(tx: Transaction, pageId: string, scan: Omit<ScannedText, "text">): Promise<void> {
  await tx.query(sql`
    update book_pages set image_key = ${scan.imageKey}, text_key = ${scan.textKey}, ocr_status = 'completed', ocr_error = null,
      ocr_error_type = null
    where id = ${pageId}`);
}

export interface ScanFailure {
  error: string;
  error_type: "retryable" | "terminal";
}

export async function saveScanFailure(tx: Transaction, pageId: string, failure: ScanFailure): Promise<void> {
  await tx.query(sql`
    update book_pages set ocr_status = 'failed', ocr_error = ${failure.error}, ocr_error_type = ${failure.error_type}
    where id = ${pageId}`);
}
