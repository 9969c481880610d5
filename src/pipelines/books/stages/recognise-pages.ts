/** The OCR job: pages side by side, each a checkpoint with its row; one that cannot be read is told, the others go on. */
import { z } from "zod";
import { type ItemContext, type StageContext, sql } from "../../../jobs/index.ts";
import type { BookServices } from "../book-services.ts";
import { openMirror, reconcilePages } from "../mirror-pages.ts";
import { listPages, type PageRow } from "../queries/list-pages.ts";
import { saveScan, saveScanFailure } from "../queries/save-scan.ts";
import { scanPage } from "../scan-page.ts";
import { serviceRetry } from "../service-retry.ts";

export const OcrInput = z.object({ bookId: z.uuid(), pageIds: z.array(z.uuid()) });
type OcrInput = z.infer<typeof OcrInput>;

type OcrServices = Pick<BookServices, "db" | "blobs" | "reader" | "ocr" | "limits">;

export function recognisePages(services: OcrServices) {
  return async ({ input, signal, items, progress, fenced }: StageContext<OcrInput, object>) => {
    const { bookId } = input;
    const { db, limits } = services;
    await reconcilePages(services, bookId, { fenced, signal });
    const wanted = new Set(input.pageIds);
    const pages = (await listPages(db, bookId)).filter(({ id }) => wanted.has(id));
    const mirror = openMirror(services, bookId, signal);
    const recognise = async (page: PageRow, item: ItemContext) => {
      await progress({ current: String(page.pageNum) });
      await fenced((tx) =>
        tx.query(
          sql`update book_pages set ocr_status = 'processing', ocr_error = null, ocr_error_type = null where id = ${page.id}`,
        ),
      );
      const { text, ...scan } = await scanPage(services, page, item);
      await mirror.touch();
      return item.commit(async (tx) => {
        await saveScan(tx, page.id, scan);
        return { characters: text.length };
      });
    };
    const { outputs, failures } = await items(
      pages,
      {
        key: ({ pageNum }) => String(pageNum),
        concurrency: limits.pagesAtOnce,
        retry: serviceRetry,
        onFailure: (page, error, tx) => saveScanFailure(tx, page.id, error),
      },
      recognise,
    );
    await mirror.write();
    return { recognised: outputs.size, failed: failures.size };
  };
}
