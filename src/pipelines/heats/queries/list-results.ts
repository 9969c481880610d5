/** What the sheets of a batch have given so far. */
import type { SheetSwims } from "../../../heatsheets/merge-swims.ts";
import { type Database, sql } from "../../../jobs/index.ts";

export interface SheetResultRow extends SheetSwims {
  filename: string;
  sourceUrl: string | null;
  code: string;
  warnings: string[];
  cached: boolean;
}

export function listResults(db: Pick<Database, "query">, batchId: string): Promise<SheetResultRow[]> {
  return db.query<SheetResultRow>(sql`
    select s.sequence, s.filename, s.source_url, r.code, r.facts, r.swims, r.warnings, r.plan, r.sessions, r.cached
    from heat_results r join heat_sources s on s.job_id = r.job_id
    where r.batch_id = ${batchId} order by s.sequence`);
}
