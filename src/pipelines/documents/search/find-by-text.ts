/**
 * Passages by their words, best first. All words must be there; where too few passages have them all, some will do, so that
 * a question in plain language finds something too.
 */
import { type Database, type Sql, sql } from "../../../jobs/index.ts";

/** Ranking reads every passage it ranks: words that are in half the library are ranked among the first so many. */
const mostRanked = 2_000;
/** With so many that have every word, those that have some are not wanted. */
const enough = 10;

export async function findByText(
  db: Database,
  words: string,
  documentIds: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const all = sql`websearch_to_tsquery('english', ${words})`;
  const found = await rank(db, all, documentIds, limit);
  if (found.length >= enough) return found;
  // Words of a query are joined with &; what was asked for in quotes or excluded stays as it is.
  const some = sql`replace(websearch_to_tsquery('english', ${words})::text, ' & ', ' | ')::tsquery`;
  const others = await rank(db, some, documentIds, limit);
  return [...new Set([...found, ...others])].slice(0, limit);
}

async function rank(
  db: Database,
  query: Sql,
  documentIds: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const within = documentIds === undefined ? sql`true` : sql`document_id = any (${documentIds}::uuid[])`;
  const rows = await db.query<{ id: string }>(sql`
    select c.id from (
      select id, search from chunks where search @@ ${query} and ${within} limit ${mostRanked}) c
    order by ts_rank_cd(c.search, ${query}, 1 | 32) desc, c.id limit ${limit}`);
  return rows.map(({ id }) => id);
}
