/** Fourth stage: the swimmer's own swims, from what the parser read or the model answered; null where they are known. */

import { TerminalError } from "../../../errors.ts";
import { findSwimmer } from "../../../heatsheets/find-swimmer.ts";
import { believeModel } from "../../../heatsheets/model-sheet.ts";
import { warnOfNamesakes } from "../../../heatsheets/namesakes.ts";
import { occursIn } from "../../../heatsheets/occurs-in.ts";
import type { Sheet } from "../../../heatsheets/sheet.ts";
import { keepFacts } from "../../../heatsheets/sheet-facts.ts";
import { toSwim } from "../../../heatsheets/swim.ts";
import { type Skipped, type StageContext, sql } from "../../../jobs/index.ts";
import type { HeatServices } from "../heat-services.ts";
import type { Extraction } from "../queries/keep-extractions.ts";
import { didYouMean, swimmerNotFound } from "../sheet-errors.ts";
import type { SheetInput } from "../sheet-input.ts";
import { inStage } from "../sheet-stage.ts";
import { type Asked, requireSheet } from "./ask-model.ts";
import type { Checked } from "./check-sheet.ts";

type Before = { checking: Checked; uploading_to_ai: Asked };

export function extractSwims({ db }: Pick<HeatServices, "db">) {
  return async (context: StageContext<SheetInput, Before>): Promise<Extraction | null | Skipped<Extraction | null>> => {
    const { input, outputs, progress, skip } = context;
    const { sheet: key, cached } = outputs.checking;
    if (cached) return skip(null);
    await progress(inStage("extracting", `Looking for ${input.swimmerName}`));
    const { sheet, content } = await requireSheet(db, key);
    const { answer } = outputs.uploading_to_ai;
    if (answer) {
      const believed = believeModel(answer, input.swimmerName, content);
      if (believed.swims.length === 0) throw swimmerNotFound(input.swimmerName, []);
      return { facts: keepFacts(sheet, answer), ...believed };
    }
    return { facts: keepFacts(sheet, null), ...(await extractParsed(context, sheet, content)) };
  };
}

async function extractParsed(
  { input, job, fenced }: StageContext<SheetInput, Before>,
  sheet: Sheet,
  content: string,
): Promise<Omit<Extraction, "facts">> {
  if (sheet.kind === "timeline") {
    return {
      swims: [],
      warnings: ["This is a timeline without swimmers: its start times are used for the other sheets."],
    };
  }
  const { swims, nearMisses, namesakes } = findSwimmer(sheet, input.swimmerName);
  const offers = nearMisses.length > 0 ? [didYouMean(nearMisses)] : [];
  if (swims.length === 0) {
    // The job fails, so this is all that is kept of it.
    if (offers.length > 0) {
      await fenced((tx) =>
        tx.query(sql`update heat_sources set warnings = ${offers}::text[] where job_id = ${job.id}`),
      );
    }
    if (sheet.kind === "results" && occursIn(content, input.swimmerName)) throw onlyResults();
    throw swimmerNotFound(input.swimmerName, nearMisses);
  }
  const byParser = input.extractor === "ai" ? ["No model was asked: the parser has read this sheet."] : [];
  return {
    swims: swims.map(({ entry, member }) => toSwim(sheet, entry, member)),
    // A name that was mistyped in one event is what the reader needs to see beside those that were found.
    warnings: [
      ...sheet.warnings,
      ...byParser,
      ...(namesakes.length > 1 ? [warnOfNamesakes(namesakes)] : []),
      ...offers,
    ],
  };
}

function onlyResults(): TerminalError {
  return new TerminalError("EXTRACTION_FAILED", "This sheet lists results, not heats that are still to be swum.");
}
