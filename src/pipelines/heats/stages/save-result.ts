/** Last stage: what was found is kept for whoever asks the same again, and gets a code under which it is shared. */
import { TerminalError } from "../../../errors.ts";
import { type Commit, type StageContext, sql } from "../../../jobs/index.ts";
import { type Extraction, keepExtraction } from "../queries/keep-extractions.ts";
import { newResultCode } from "../result-code.ts";
import type { SheetInput } from "../sheet-input.ts";
import { inStage } from "../sheet-stage.ts";
import type { Checked } from "./check-sheet.ts";

type Before = { checking: Checked; extracting: Extraction | null };

/** What a completed sheet says of itself in its event. */
export interface SheetResult {
  resultCode: string;
  eventCount: number;
  meetName: string | null;
  cached: boolean;
}

export function saveResult() {
  return async (context: StageContext<SheetInput, Before>): Promise<Commit<SheetResult>> => {
    const { job, outputs, progress, commit } = context;
    const { checking, extracting: found } = outputs;
    const { sheet, extraction, cached } = checking;
    if (found) await progress(inStage("caching", `Saving ${found.swims.length} swims`));
    return commit(async (tx) => {
      if (found) await keepExtraction(tx, extraction, found);
      // A code that is taken already, one in 218 billion, fails the statement, and the stage makes another.
      const code = newResultCode();
      // Copied inside the database: sheets may be large, and nothing of them is needed here.
      const [saved] = await tx.query<Pick<SheetResult, "eventCount" | "meetName">>(sql`
        insert into heat_results (code, job_id, batch_id, facts, swims, warnings, plan, sessions, cached, created_at)
        select ${code}, ${job.id}, ${job.batchId}, e.facts, e.swims, e.warnings, s.plan::jsonb, (s.sheet -> 'sessions')::jsonb, ${cached}, now()
        from heat_extractions e, heat_sheets s
        where e.sha256 = ${extraction.sha256} and e.swimmer_key = ${extraction.swimmerKey} and e.extractor = ${extraction.extractor}
          and s.sha256 = ${sheet.sha256} and s.reader = ${sheet.reader}
        returning jsonb_array_length(swims) as event_count, facts ->> 'meetName' as meet_name`);
      if (!saved)
        throw new TerminalError("EXTRACTION_FAILED", "What was read of the sheet is no longer kept. Send it again.");
      return { resultCode: code, ...saved, cached };
    });
  };
}
