/** A page of a job's checkpointed items, in the order of the primary key. */

import type { z } from "zod";
import type { JobItem } from "../../contract/jobs.ts";
import type { Queryable } from "../../db/database.ts";
import { allOf, sql } from "../../db/sql.ts";

export type ItemRecord = Omit<z.infer<typeof JobItem>, "status" | "finishedAt"> & { done: boolean; finishedAt: Date };

export interface ItemPosition {
  stage: string;
  key: string;
}

export function listItems(
  db: Queryable,
  jobId: string,
  done: boolean | undefined,
  after: ItemPosition | undefined,
  limit: number,
): Promise<ItemRecord[]> {
  const conditions = [sql`job_id = ${jobId}`];
  if (done !== undefined) conditions.push(sql`done = ${done}`);
  if (after) conditions.push(sql`(stage, key) > (${after.stage}, ${after.key})`);
  return db.query<ItemRecord>(sql`
    select stage, key, done, output, error, finished_at from job_items
    where ${allOf(conditions)} order by stage, key limit ${limit}`);
}
