/**
 * Second stage: what every page says. Pages are read side by side and each is a checkpoint with its words, blocks, fields
 * and tables; those without usable text go through OCR. A page that cannot be read leaves a hole and is reported; a
 * document of which nothing could be read has failed.
 */
import type { DocumentFacts, FileToRead, ReadPage } from "../../../formats/document-reader.ts";
import { isPaged } from "../../../formats/format.ts";
import type { ItemContext, ItemResults, StageContext, Transaction } from "../../../jobs/index.ts";
import { type ArrangedPage, packPage } from "../../../layout/packed-page.ts";
import type { DocumentInput } from "../document-input.ts";
import type { DocumentServices } from "../document-services.ts";
import { findFile, type StoredFile } from "../queries/find-file.ts";
import { forgetPages, savePage, saveSection } from "../queries/save-page.ts";
import { refuseOvertaken } from "../queries/swap-generation.ts";
import { type FailureWatch, watchFailures } from "./item-failures.ts";
import { readWithService } from "./read-with-service.ts";
import { keepTextLayer, recognisePage } from "./recognise-page.ts";
import { openTextBudget, type TextBudget } from "./text-budget.ts";

export type ExtractServices = Pick<
  DocumentServices,
  "db" | "blobs" | "reader" | "ocr" | "extraction" | "defaultExtraction" | "limits"
>;

export interface Extracted extends DocumentFacts {
  paged: boolean;
  failedParts: string[];
}

export function extractPages(services: ExtractServices) {
  return async (context: StageContext<DocumentInput, object>): Promise<Extracted> => {
    const { input, signal } = context;
    const stored = await findFile(services.db, input.documentId);
    refuseOvertaken(stored.generation, input.generation);
    return services.blobs.withFile(
      stored.blobKey,
      async (path) => {
        const file: FileToRead = { path, format: stored.format };
        const facts = await services.reader.open(file, signal);
        const failures = watchFailures();
        const budget = openTextBudget(services.limits.maxTextBytes);
        const results = await readParts(services, context, stored, file, facts, failures, budget);
        budget.require();
        failures.refuse(results);
        return { ...facts, paged: isPaged(stored.format), failedParts: [...results.failures.keys()] };
      },
      signal,
    );
  };
}

function readParts(
  services: ExtractServices,
  context: StageContext<DocumentInput, object>,
  stored: StoredFile,
  file: FileToRead,
  facts: DocumentFacts,
  failures: FailureWatch,
  budget: TextBudget,
): Promise<ItemResults<unknown>> {
  const { limits } = services;
  const { options } = context.input;
  const wanted = options.extraction ?? services.defaultExtraction;
  if (isPaged(file.format) && wanted !== "local")
    return readWithService(services, wanted, context, stored, facts, failures);
  const parts = Array.from({ length: facts.parts }, (_, index) => index + 1);
  const key = (part: number) => String(part);
  return context.items(
    parts,
    { key, concurrency: limits.pagesAtOnce },
    failures.guard((part: number, item: ItemContext) => readPart(services, context.input, file, part, item, budget)),
  );
}

async function readPart(
  { reader, ocr }: ExtractServices,
  { documentId, generation, options }: DocumentInput,
  file: FileToRead,
  part: number,
  item: ItemContext,
  budget: TextBudget,
) {
  budget.require();
  const { signal } = item;
  const always = options.ocr === "always";
  const read = await (always ? reader.readPart(file, part, signal) : reader.readPacked(file, part, signal));
  const place = { documentId, generation, page: part };
  const forget = async (tx: Transaction) => {
    if (item.job.lease > 1) await forgetPages(tx, place, { from: part, to: part });
  };
  if (read.kind === "section") {
    budget.spend(read.markdown.length);
    return item.commit(async (tx) => {
      await forget(tx);
      await saveSection(tx, place, read.markdown);
      return { source: "section" };
    });
  }
  const page = read.kind === "packed" ? read : packPage(await recognise(read));
  budget.spend(page.words.length + page.blocks.length);
  return item.commit(async (tx) => {
    await forget(tx);
    await savePage(tx, place, page);
    return { source: page.source };
  });

  /** What came as it was read is to go through OCR, unless nobody wants that. */
  function recognise(unpacked: ReadPage): Promise<ArrangedPage> {
    return options.ocr === "never"
      ? keepTextLayer(reader, unpacked, signal)
      : recognisePage({ reader, ocr }, file, unpacked, item);
  }
}
