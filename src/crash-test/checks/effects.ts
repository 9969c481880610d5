/** What a stage or an item wrote in its commit is there exactly once, with its checkpoint and never without it. */
import type { Queryable } from "../../db/database.ts";
import { rowsOf } from "../../db/rows.ts";
import { sql } from "../../db/sql.ts";
import { committingStages, crashPipelines } from "../pipelines.ts";
import { type Check, find } from "./evidence.ts";

export const checkEffects: Check = async ({ db }) => {
  const stages = stagesThatCommit(db);
  // The last stage's checkpoint is the job's completion.
  const checkpoint = sql`(
    select s.job_id, s.name as stage, '' as item, s.lease
    from job_stages s join jobs j on j.id = s.job_id join (${stages}) c on c.kind = j.kind and c.stage = s.name
    union all
    select j.id, c.stage, '', j.lease from jobs j join (${stages}) c on c.kind = j.kind and c.last where j.status = 'completed'
    union all
    select job_id, stage, key, lease from job_items where done and key like 'c%') c`;
  return [
    {
      promise: "no stage and no item has its effect twice",
      violations: await find(
        db,
        sql`select format('job %s: stage %s %s took effect %s times, under leases %s by processes %s', job_id, stage, item, count(*),
            array_agg(lease order by number), array_agg(pid order by number)) as what
          from crash.effects group by job_id, stage, item having count(*) > 1`,
      ),
    },
    {
      promise: "no effect without its checkpoint, under the same lease",
      violations: await find(
        db,
        sql`select format('job %s: stage %s %s took effect under lease %s; its checkpoint is %s', job_id, stage, item, f.lease,
            coalesce('of lease ' || c.lease, 'missing')) as what
          from crash.effects f left join ${checkpoint} using (job_id, stage, item) where c.lease is distinct from f.lease`,
      ),
    },
    {
      promise: "no checkpoint without its effect",
      violations: await find(
        db,
        sql`select format('job %s: stage %s %s has its checkpoint under lease %s and no effect', job_id, stage, item, c.lease) as what
          from ${checkpoint} left join crash.effects f using (job_id, stage, item) where f.job_id is null`,
      ),
    },
    {
      promise: "a completed job has all its stages",
      violations: await find(
        db,
        sql`select format('job %s (%s) is completed without stage %s', j.id, j.kind, c.stage) as what
          from jobs j join (${stages}) c on c.kind = j.kind and not c.last
          where j.status = 'completed' and not exists (select from job_stages s where s.job_id = j.id and s.name = c.stage)`,
      ),
    },
  ];
};

function stagesThatCommit(db: Queryable) {
  const lastStages = new Map(crashPipelines(db).map(({ kind, stages }) => [kind, stages.at(-1)?.name]));
  const rows = Object.entries(committingStages).flatMap(([kind, stages]) =>
    stages.map((stage) => ({ kind, stage, last: lastStages.get(kind) === stage })),
  );
  return rowsOf({ kind: "text", stage: "text", last: "boolean" }, rows);
}
