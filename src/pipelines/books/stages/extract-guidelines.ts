/**
 * Guideline extraction: one page after the other, each told what came before it. A page is a checkpoint with its place,
 * what it contributes and the subtopic it made or changed; one that fails leaves a hole, and the next page goes on.
 */
import { z } from "zod";
import { TerminalError } from "../../../errors.ts";
import type { ItemContext, StageContext } from "../../../jobs/index.ts";
import { readText } from "../../../storage/blob-text.ts";
import { writePageArtifacts } from "../artifacts.ts";
import { authorOf } from "../author-of.ts";
import type { BookServices } from "../book-services.ts";
import { gatherContext } from "../gather-context.ts";
import { openMirror, reconcilePages } from "../mirror-pages.ts";
import { placePage } from "../place-page.ts";
import { listPages, type PageRow } from "../queries/list-pages.ts";
import { savePageGuideline } from "../queries/save-page-guideline.ts";
import { serviceRetry } from "../service-retry.ts";

export const ExtractionInput = z.object({
  bookId: z.uuid(),
  pageIds: z.array(z.uuid()),
  autoSync: z.boolean(),
});
type ExtractionInput = z.infer<typeof ExtractionInput>;

type ExtractServices = Pick<BookServices, "db" | "blobs" | "model" | "embedder">;

export function extractGuidelines(services: ExtractServices) {
  return async ({ input, signal, items, progress, fenced }: StageContext<ExtractionInput, object>) => {
    const { bookId } = input;
    const { db, blobs } = services;
    const author = authorOf(services);
    await reconcilePages(services, bookId, { fenced, signal });
    const wanted = new Set(input.pageIds);
    const pages = (await listPages(db, bookId)).filter(({ id }) => wanted.has(id));
    const mirror = openMirror(services, bookId, signal);
    const extract = async (page: PageRow, item: ItemContext) => {
      await progress({ current: String(page.pageNum) });
      if (page.textKey === null) throw new TerminalError("NO_TEXT", `Page ${page.pageNum} has no OCR text`);
      const text = await readText(blobs, page.textKey);
      const context = await gatherContext(services, page, text, item);
      const read = await author.read(context, item);
      const placed = await placePage({ db, author }, page, context, read, item);
      await writePageArtifacts(blobs, page, placed, signal);
      await mirror.touch();
      return item.commit(async (tx) => {
        await savePageGuideline(tx, page, placed);
        return { kind: placed.decision.kind };
      });
    };
    const { outputs, failures } = await items(
      pages,
      { key: ({ pageNum }) => String(pageNum), retry: serviceRetry },
      extract,
    );
    await mirror.write();
    return { extracted: outputs.size, failed: failures.size };
  };
}
