/**
 * Passages by their words, best first. A passage need not have all of them, so that a question in plain language finds
 * something too; rare words count for more than frequent ones, and words of its headings for more than those of its text.
 */
import { type Database, type Sql, sql } from "../../../jobs/index.ts";
import { type WeighedWord, weighWords } from "./weigh-words.ts";

/** Ranking reads every passage it ranks, so no more than about so many are ranked. */
const mostRanked = 2_000;
/** With fewer found by their rare words, those that have only the frequent ones are wanted too. */
const enough = 10;
/** What a word is worth in the text (D, C, B) and in a heading (A). */
const placeWeights = "{0.67, 0.67, 0.67, 1}";
/** How much a long passage must have more of the words than one of usual length, and what length is usual. */
const lengthShare = 0.3;
const usualTokens = 300;

export async function findByText(
  db: Database,
  words: string,
  documentIds: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const weighed = await weighWords(db, words);
  if (weighed.length === 0) return [];
  const find = (which: Sql) => rank(db, which, weighed, documentIds, limit);
  const asWritten = sql`websearch_to_tsquery('english', ${words})`;
  if (hasOperators(words)) return find(asWritten);
  const rare = documentIds === undefined ? takeRare(weighed) : weighed;
  const found = await find(rare.length === 0 ? asWritten : anyOf(rare));
  if (found.length >= enough || rare.length === weighed.length) return found;
  const others = await find(anyOf(weighed));
  return [...new Set([...found, ...others])].slice(0, limit);
}

/** Something in quotes, something excluded, or one thing or another. */
function hasOperators(words: string): boolean {
  return /"|(?:^|\s)-\S|\sor\s/i.test(words);
}

/** As many words as can be ranked together: which of the others a passage has is then seen by its rank. */
function takeRare(weighed: readonly WeighedWord[]): WeighedWord[] {
  let passages = 0;
  return weighed.filter((word) => {
    passages += word.passages;
    return passages <= mostRanked;
  });
}

function anyOf(weighed: readonly WeighedWord[]): Sql {
  return sql`${weighed.map(({ query }) => `(${query})`).join(" | ")}::tsquery`;
}

async function rank(
  db: Database,
  which: Sql,
  weighed: readonly WeighedWord[],
  documentIds: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const within = documentIds === undefined ? sql`true` : sql`document_id = any (${documentIds}::uuid[])`;
  // For a single word ts_rank grows with its occurrences, ever more slowly, and ends at 1: what BM25 does with them too.
  const score = weighed
    .map(({ query, weight }) => sql`${weight}::float8 * ts_rank(${placeWeights}::real[], c.search, ${query}::tsquery)`)
    .reduce((sum, part) => sql`${sum} + ${part}`);
  const rows = await db.query<{ id: string }>(sql`
    select c.id from (
      select id, search, tokens from chunks where search @@ ${which} and ${within} limit ${mostRanked}) c
    order by (${score}) / (1 - ${lengthShare}::float8 + ${lengthShare}::float8 * c.tokens / ${usualTokens}::float8) desc, c.id
    limit ${limit}`);
  return rows.map(({ id }) => id);
}
