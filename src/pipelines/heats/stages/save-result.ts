/** Last stage: what was found is kept for whoever asks the same again, and gets a code under which it is shared. */
import { type Commit, type StageContext, sql, toJson } from "../../../jobs/index.ts";
import type { HeatServices } from "../heat-services.ts";
import { type Extraction, keepExtraction } from "../queries/keep-extractions.ts";
import { newResultCode } from "../result-code.ts";
import type { SheetInput } from "../sheet-input.ts";
import { inStage } from "../sheet-stage.ts";
import { requireSheet } from "./ask-model.ts";
import type { Checked } from "./check-sheet.ts";

type Before = { checking: Checked; extracting: Extraction };

/** What a completed sheet says of itself in its event. */
export interface SheetResult {
  resultCode: string;
  eventCount: number;
  meetName: string | null;
  cached: boolean;
}

export function saveResult({ db }: Pick<HeatServices, "db">) {
  return async (context: StageContext<SheetInput, Before>): Promise<Commit<SheetResult>> => {
    const { job, outputs, progress, commit } = context;
    const { swims, warnings, facts } = outputs.extracting;
    const { sheet: key, extraction, cached } = outputs.checking;
    await progress(inStage("caching", cached ? "Known from before" : `Saving ${swims.length} swims`));
    const { sheet, plan } = await requireSheet(db, key);
    return commit(async (tx) => {
      await keepExtraction(tx, extraction, outputs.extracting);
      // A code that is taken already, one in 218 billion, fails the statement, and the stage makes another.
      const code = newResultCode();
      await tx.query(sql`
        insert into heat_results (code, job_id, batch_id, facts, swims, warnings, plan, sessions, cached, created_at)
        values (${code}, ${job.id}, ${job.batchId}, ${toJson(facts)}::jsonb, ${toJson(swims)}::jsonb, ${warnings}::text[],
          ${toJson(plan)}::jsonb, ${toJson(sheet.sessions)}::jsonb, ${cached}, now())`);
      return { resultCode: code, eventCount: swims.length, meetName: facts.meetName, cached };
    });
  };
}
