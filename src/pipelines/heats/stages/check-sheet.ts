/**
 * Second stage: whether the file's content is known already, with this swimmer or with another; if not, it is opened and
 * read as a sheet. A scanned sheet goes through OCR, each page a checkpoint.
 */
import type { Commit, ItemContext, Skipped, StageContext } from "../../../jobs/index.ts";
import type { PageText } from "../../../layout/page.ts";
import { readDrawnPage } from "../../../providers/ocr/read-drawn-page.ts";
import type { HeatServices } from "../heat-services.ts";
import { findSource } from "../queries/find-source.ts";
import { type ExtractionKey, extractionKey, hasExtraction } from "../queries/keep-extractions.ts";
import { hasSheet, keepSheet, type SheetKey, sheetKey } from "../queries/keep-sheets.ts";
import type { SheetInput } from "../sheet-input.ts";
import { inStage } from "../sheet-stage.ts";
import type { ReadSheet, ScannedPage } from "../sheet-threads.ts";

type CheckServices = Pick<HeatServices, "db" | "blobs" | "sheets" | "reader" | "ocr" | "model">;

/** Under what the stages behind this one look, also if the program or its settings are changed in between. */
export interface Checked {
  sheet: SheetKey;
  extraction: ExtractionKey;
  /** The same was asked of the same file before: nothing is left to do. */
  cached: boolean;
}

export function checkSheet(services: CheckServices) {
  return async (context: StageContext<SheetInput, object>): Promise<Checked | Commit<Checked> | Skipped<Checked>> => {
    const { input, job, progress, signal, commit, skip } = context;
    const { blobKey, sha256 } = await findSource(services.db, job.id);
    if (blobKey === null || sha256 === null) throw new Error(`job ${job.id} has no file`);
    const sheet = sheetKey(sha256);
    const extraction = extractionKey(sha256, input, services.model);
    const known = await hasSheet(services.db, sheet);
    const cached = known && (await hasExtraction(services.db, extraction));
    // Who asks what was asked before has the answer at once: telling them of stages would take longer.
    if (cached) return skip({ sheet, extraction, cached });
    await progress(inStage("checking", "Checking the file"));
    if (known) return { sheet, extraction, cached };
    const read = await services.blobs.withFile(blobKey, (path) => readSheet(services, context, path), signal);
    return commit(async (tx) => {
      await keepSheet(tx, sheet, read);
      return { sheet, extraction, cached: false };
    });
  };
}

/** Pages of a scan read at the same time: one is drawn while another is recognised. */
const pagesAtOnce = 2;

async function readSheet(
  { sheets, reader, ocr }: CheckServices,
  { signal, progress, items }: StageContext<SheetInput, object>,
  path: string,
): Promise<ReadSheet> {
  const reading = await sheets.read({ path }, signal);
  if (reading.kind === "sheet") return reading.sheet;

  await progress(inStage("checking", `Reading ${reading.pages.length} scanned pages`));
  const recognise = async ({ page, imageDpi }: ScannedPage, item: ItemContext): Promise<PageText> => {
    const drawn = await readDrawnPage({ reader, ocr }, { path, format: "pdf" }, { page, imageDpi }, item);
    // A ruling line may be taken for a word without letters.
    const words = drawn.straight.filter(({ text }) => text.trim() !== "");
    return { page, width: drawn.width, height: drawn.height, source: ocr.source, words, rules: [] };
  };
  const options = { key: ({ page }: ScannedPage) => String(page), concurrency: pagesAtOnce, failJob: true };
  const { outputs } = await items(reading.pages, options, recognise);
  const again = await sheets.read({ path, recognised: [...outputs.values()] }, signal);
  if (again.kind === "scan") throw new Error("a page that was recognised is asked for again");
  return again.sheet;
}
