/** Streams are numbered 1, 2, 3 … to the number their row has. */
import { sql } from "../../db/sql.ts";
import { type Check, find } from "./evidence.ts";

export const checkEvents: Check = async ({ db }) => [
  {
    promise: "event numbers are without gap and end where the row says",
    violations: await find(
      db,
      sql`select format('%s %s has events %s to %s, %s in all; its row says %s', s.what, s.id, e.first, e.last, e.count, s.last_event) as what
        from (select 'job' as what, id, last_event from jobs union all select 'batch', id, last_event from batches) s
        left join (select stream_id, min(number) as first, max(number) as last, count(*) as count from events group by stream_id) e on e.stream_id = s.id
        where s.last_event <> coalesce(e.count, 0) or (e.count > 0 and (e.first <> 1 or e.last <> e.count))
        union all
        select format('stream %s has %s events and no job or batch', stream_id, count(*)) from events e
        where not exists (select from jobs j where j.id = e.stream_id) and not exists (select from batches b where b.id = e.stream_id)
        group by stream_id`,
    ),
  },
];
