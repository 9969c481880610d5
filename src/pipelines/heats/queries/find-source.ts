/** The row of one file or url of a batch. */
import { TerminalError } from "../../../errors.ts";
import { type Database, sql } from "../../../jobs/index.ts";

export interface SheetSource {
  batchId: string;
  sequence: number;
  filename: string;
  blobKey: string | null;
  sha256: string | null;
}

/** Throws BATCH_EXPIRED if the batch was removed while its job waited. */
export async function findSource(db: Pick<Database, "query">, jobId: string): Promise<SheetSource> {
  const [source] = await db.query<SheetSource>(
    sql`select batch_id, sequence, filename, blob_key, sha256 from heat_sources where job_id = ${jobId}`,
  );
  if (!source) throw new TerminalError("BATCH_EXPIRED", "The batch has expired, and its files with it.");
  return source;
}
