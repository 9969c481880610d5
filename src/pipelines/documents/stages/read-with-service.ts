/** Pages read by a remote service, a range of them a call and a checkpoint. */
import { TerminalError } from "../../../errors.ts";
import type { DocumentFacts } from "../../../formats/document-reader.ts";
import type { ItemContext, ItemResults, StageContext } from "../../../jobs/index.ts";
import { packPage } from "../../../layout/packed-page.ts";
import type { DocumentInput } from "../document-input.ts";
import type { StoredFile } from "../queries/find-file.ts";
import { forgetPages, savePage } from "../queries/save-page.ts";
import type { ExtractServices } from "./extract-pages.ts";
import type { FailureWatch } from "./item-failures.ts";

interface PageRange {
  from: number;
  to: number;
}

const notConfigured = {
  azure:
    "This document asks for Azure Document Intelligence, which is not configured. Set DOCMILL_AZURE_DI_ENDPOINT and DOCMILL_AZURE_DI_KEY, or reprocess it with extraction: local.",
  own: "This document asks for the extraction provider of the config file, which gives none. Add providers.extraction to it, or reprocess it with extraction: local.",
};

/** Calls under way for one document; over all documents the limit on paid calls holds. */
const callsAtOnce = 2;

export function readWithService(
  { extraction: services, blobs }: Pick<ExtractServices, "extraction" | "blobs">,
  wanted: keyof ExtractServices["extraction"],
  { input, items }: StageContext<DocumentInput, object>,
  stored: StoredFile,
  facts: DocumentFacts,
  failures: FailureWatch,
): Promise<ItemResults<unknown>> {
  const extraction = services[wanted];
  if (!extraction) throw new TerminalError("EXTRACTION_NOT_CONFIGURED", notConfigured[wanted]);
  const { documentId, generation } = input;
  const { sha256, contentType, size, blobKey } = stored;
  const file = { sha256, contentType, size, open: () => blobs.get(blobKey) };
  const analyse = async (range: PageRange, item: ItemContext) => {
    const pages = await extraction.analyse(file, range, item);
    return item.commit(async (tx) => {
      if (item.job.lease > 1) await forgetPages(tx, { documentId, generation }, range);
      for (const page of pages) await savePage(tx, { documentId, generation, page: page.text.page }, packPage(page));
      return { pages: pages.length };
    });
  };
  return items(
    toRanges(facts.parts, extraction.pagesPerCall),
    { key: ({ from, to }) => `${from}-${to}`, concurrency: callsAtOnce },
    failures.guard(analyse),
  );
}

function toRanges(pages: number, pagesPerCall: number): PageRange[] {
  return Array.from({ length: Math.ceil(pages / pagesPerCall) }, (_, index) => ({
    from: index * pagesPerCall + 1,
    to: Math.min(pages, (index + 1) * pagesPerCall),
  }));
}
