/**
 * A page of jobs, newest first. Every filter is answered from an index that holds what it asks for in the right order,
 * so a page costs the same whether the table has a hundred rows or millions, and wherever in it the page is:
 *
 * - no filter: the primary key (ids are in order of time);
 * - a time: bounds of ids. Every index that a page is read from has the id last, so a range of it is a range of them;
 * - a batch: its jobs by sequence, which is the order of their ids;
 * - state or kind: a lane for each pair of them, merged. A lane is read from the partial index of its state, by kind and
 *   id; running jobs are few (the slots of all workers) and are sorted.
 */
import type { JobQuery } from "../../contract/jobs.ts";
import { type JobState, jobStates } from "../../contract/states.ts";
import type { Queryable } from "../../db/database.ts";
import { allOf, type Sql, sql } from "../../db/sql.ts";
import { firstIdAt } from "../new-id.ts";
import { type JobRecord, jobColumns } from "./job-columns.ts";

/** The last job of the page before. */
export interface JobPosition {
  id: string;
  sequence: number | null;
}

export type JobFilter = Pick<JobQuery, "kind" | "state" | "batch" | "since" | "before">;

export function listJobs(
  db: Queryable,
  filter: JobFilter,
  after: JobPosition | undefined,
  limit: number,
): Promise<JobRecord[]> {
  const page = filter.batch === undefined ? pageOfAll(filter, after, limit) : pageOfBatch(filter, after, limit);
  return db.query<JobRecord>(sql`
    ${page}
    select ${jobColumns}
    from page join jobs j on j.id = page.id left join workers w on w.id = j.worker_id
    order by j.id desc`);
}

function pageOfBatch(filter: JobFilter, after: JobPosition | undefined, limit: number): Sql {
  const { batch, kind, state, since, before } = filter;
  const conditions = [sql`batch_id = ${batch}`, ...createdBetween(filter)];
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (state !== undefined) conditions.push(isIn[state]);
  if (after) conditions.push(sql`sequence < ${after.sequence}`);
  // A batch is created at once: mostly all of it is of that time or nothing is, which its ends tell without a walk.
  const endOf = (order: Sql) => sql`(select id from jobs where batch_id = ${batch} order by sequence ${order} limit 1)`;
  if (since !== undefined) conditions.push(sql`${endOf(sql`desc`)} >= ${firstIdAt(Date.parse(since))}`);
  if (before !== undefined) conditions.push(sql`${endOf(sql`asc`)} < ${firstIdAt(Date.parse(before))}`);
  return sql`
    with page as (select id from jobs where ${allOf(conditions)} order by sequence desc limit ${limit})`;
}

/** Ids carry the time they were made. */
function createdBetween({ since, before }: JobFilter): Sql[] {
  const conditions: Sql[] = [];
  if (since !== undefined) conditions.push(sql`id >= ${firstIdAt(Date.parse(since))}`);
  if (before !== undefined) conditions.push(sql`id < ${firstIdAt(Date.parse(before))}`);
  return conditions;
}

function pageOfAll(filter: JobFilter, after: JobPosition | undefined, limit: number): Sql {
  const { kind, state } = filter;
  const inRange = allOf([...createdBetween(filter), ...(after ? [sql`id < ${after.id}`] : [])]);
  if (kind === undefined && state === undefined) {
    return sql`with page as (select id from jobs where ${inRange} order by id desc limit ${limit})`;
  }
  const lanes = (state === undefined ? jobStates : [state]).map((one) => lane(one, kind, inRange, limit));
  const [first, ...others] = lanes;
  const merged = others.reduce((all, next) => sql`${all} union all ${next}`, first as Sql);
  return sql`
    with page as (select id from (${merged}) as lane order by id desc limit ${limit})`;
}

/** Spelled out, because only a constant lets the planner use the partial index of the state. */
const isIn: Record<JobState, Sql> = {
  pending: sql`status = 'pending'`,
  running: sql`status = 'running'`,
  completed: sql`status = 'completed'`,
  failed: sql`status = 'failed'`,
  cancelled: sql`status = 'cancelled'`,
};

function lane(state: JobState, kind: string | undefined, inRange: Sql, limit: number): Sql {
  if (state === "running") {
    // Materialized: walking the primary key until enough running ones turn up may mean reading all of it.
    const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`;
    return sql`(
      with running as materialized (select id, kind from jobs where status = 'running')
      select id from running where ${ofKind} and ${inRange} order by id desc limit ${limit})`;
  }
  if (kind !== undefined) {
    return sql`(select id from jobs where ${isIn[state]} and kind = ${kind} and ${inRange} order by id desc limit ${limit})`;
  }
  // Hops from kind to kind: there are few, and finding the next one is a single step in the index.
  return sql`(
    with recursive known as (
      (select kind from jobs where ${isIn[state]} order by kind limit 1)
      union all
      select (select kind from jobs where ${isIn[state]} and kind > known.kind order by kind limit 1)
      from known where known.kind is not null
    )
    select newest.id from known cross join lateral (
      select id from jobs where ${isIn[state]} and kind = known.kind and ${inRange} order by id desc limit ${limit}) newest
    order by newest.id desc limit ${limit})`;
}
