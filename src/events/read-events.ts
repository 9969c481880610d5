/** Exact replay: the events of a stream after a number, in order. */
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface StreamEvent {
  streamId: string;
  number: number;
  type: string;
  data: Record<string, unknown>;
  createdAt: Date;
}

export interface StreamPosition {
  streamId: string;
  after: number;
}

/** Up to `limit` events of each stream: one statement, however many streams. */
export function readEvents(db: Queryable, positions: readonly StreamPosition[], limit: number): Promise<StreamEvent[]> {
  return db.query<StreamEvent>(sql`
    select e.stream_id, e.number, e.type, e.data, e.created_at
    from unnest(${positions.map(({ streamId }) => streamId)}::uuid[], ${positions.map(({ after }) => after)}::integer[]) as p (stream_id, after)
    cross join lateral (
      select * from events e where e.stream_id = p.stream_id and e.number > p.after order by e.number limit ${limit}
    ) e
    order by e.stream_id, e.number`);
}
