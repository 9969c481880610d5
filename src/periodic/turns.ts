/**
 * Whose turn it is, by the rows of `periodic_tasks`. A turn is a right with a number that runs out unless it is renewed,
 * all by the database's clock; whoever writes under an old number writes nothing. No session state is needed, so it
 * works through a pooler too.
 */
import type { Clock } from "../db/clock.ts";
import type { Queryable } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import { sql } from "../db/sql.ts";
import type { PeriodicTask } from "./periodic-task.ts";

export interface Turn {
  task: string;
  /** The fencing token. */
  number: number;
}

export interface TurnTerms {
  clock: Clock;
  /** How long a turn counts without being renewed. */
  rightMs: number;
}

/** Makes rows for tasks that have none. One that now comes round more often is due accordingly. */
export async function registerTasks(db: Queryable, tasks: readonly PeriodicTask[], clock: Clock): Promise<void> {
  const now = clock.now();
  const rows = tasks.map(({ name, everyMs }) => ({ name, every_ms: everyMs }));
  const known = rowsOf({ name: "text", every_ms: "double precision" }, rows);
  await db.query(sql`
    insert into periodic_tasks (name, due_at) select name, ${now} from (${known}) k order by name on conflict do nothing`);
  await db.query(sql`
    update periodic_tasks t set due_at = ${now} + k.every_ms * interval '1 ms'
    from (${known}) k where t.name = k.name and t.due_at > ${now} + k.every_ms * interval '1 ms'`);
}

/** Takes the turn of the task that has waited longest; undefined if none is due or all are being done. */
export async function takeTurn(
  db: Queryable,
  tasks: readonly string[],
  holder: string,
  { clock, rightMs }: TurnTerms,
  options: { early?: boolean } = {},
): Promise<Turn | undefined> {
  const now = clock.now();
  const due = options.early ? sql`true` : sql`due_at <= ${now}`;
  const [turn] = await db.query<Turn>(sql`
    update periodic_tasks set turn = turn + 1, holder = ${holder}, taken_at = ${now},
      held_until = ${now} + ${rightMs} * interval '1 ms'
    where name = (
      select name from periodic_tasks
      where name = any (${tasks}::text[]) and ${due} and (held_until is null or held_until < ${now})
      order by due_at limit 1 for no key update skip locked)
    returning name as task, turn as number`);
  return turn;
}

/** False: another process has the task by now. */
export async function renewTurn(db: Queryable, turn: Turn, { clock, rightMs }: TurnTerms): Promise<boolean> {
  const rows = await db.query(sql`
    update periodic_tasks set held_until = ${clock.now()} + ${rightMs} * interval '1 ms'
    where name = ${turn.task} and turn = ${turn.number} and holder is not null returning name`);
  return rows.length === 1;
}

export interface Outcome {
  removed: number | null;
  /** Null: it went well. */
  error: string | null;
  /** When it is due again, from now. */
  againMs: number;
}

/** Writes what came of the turn. False: another process has the task by now, and nothing was written. */
export async function finishTurn(db: Queryable, turn: Turn, outcome: Outcome, clock: Clock): Promise<boolean> {
  const now = clock.now();
  const rows = await db.query(sql`
    update periodic_tasks set due_at = ${now} + ${outcome.againMs} * interval '1 ms',
      last_holder = holder, last_finished_at = ${now},
      last_duration_ms = greatest(0, extract(epoch from ${now} - taken_at) * 1000)::integer,
      last_removed = ${outcome.removed}, last_error = ${outcome.error},
      failures = case when ${outcome.error}::text is null then 0 else failures + 1 end,
      holder = null, taken_at = null, held_until = null
    where name = ${turn.task} and turn = ${turn.number} and holder is not null returning name`);
  return rows.length === 1;
}

/** For who stops half-way: the task is due as before, and the next process goes on at once. */
export async function giveTurnBack(db: Queryable, turn: Turn): Promise<void> {
  await db.query(sql`
    update periodic_tasks set holder = null, taken_at = null, held_until = null
    where name = ${turn.task} and turn = ${turn.number}`);
}
