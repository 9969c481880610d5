/**
 * The words of a search with what each is worth: a word that is in few passages says more about what is wanted than one
 * that is in many. PostgreSQL's own ranking knows nothing of that.
 */
import { type Database, sql } from "../../../jobs/index.ts";

export interface WeighedWord {
  /** As a tsquery. */
  query: string;
  /** About how many passages have it. */
  passages: number;
  /** Its inverse document frequency, as in BM25. */
  weight: number;
}

/** Longer questions are cut to the words that say most. */
const mostWords = 24;
/** A word that the statistics do not know is rare, or they are old: it is counted, but not further than this. */
const countedUpTo = 5_000;

/** The rarest first. */
export async function weighWords(db: Database, words: string): Promise<WeighedWord[]> {
  const rows = await db.query<{ query: string; passages: number; all: number }>(sql`
    with frequent as (
      select e.lexeme, e.share
      from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as e (lexeme, share)
      where s.schemaname = current_schema() and s.tablename = 'chunks' and s.attname = 'search'),
    library as (
      select (case when reltuples < 0 then (select count(*) from chunks) else reltuples end)::float8 as passages
      from pg_class where oid = 'chunks'::regclass)
    select w.query::text as query, l.passages as all, coalesce(f.share * l.passages, (
      select count(*) from (select from chunks where search @@ w.query limit ${countedUpTo}) found))::float8 as passages
    from (
      select lexeme, plainto_tsquery('simple', lexeme) as query
      from unnest(tsvector_to_array(to_tsvector('english', ${words}))) as lexeme) w
    cross join library l
    left join frequent f on f.lexeme = w.lexeme
    where numnode(w.query) > 0`);
  return rows
    .filter(({ passages }) => passages > 0)
    .map(({ query, passages, all }) => ({ query, passages, weight: weigh(passages, Math.max(all, passages)) }))
    .sort((a, b) => a.passages - b.passages)
    .slice(0, mostWords);
}

function weigh(passages: number, all: number): number {
  return Math.log(1 + (all - passages + 0.5) / (passages + 0.5));
}
