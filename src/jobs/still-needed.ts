/** Which jobs that have ended are still needed, as their pipelines say: the engine knows no documents. */
import { type Sql, sql } from "../db/sql.ts";
import type { Registry } from "./registry.ts";

/** A condition over `jobs j`. Jobs of a kind that is not known here count as needed: its pipeline may say so elsewhere. */
export function stillNeeded({ pipelines }: Registry): Sql {
  // A CASE, because only that promises that a rule is asked about jobs of its own kind alone.
  const rules = pipelines.flatMap(({ kind, options }) =>
    options.stillNeeded ? [{ kind, rule: options.stillNeeded }] : [],
  );
  const others = sql`else not j.kind = any (${pipelines.map(({ kind }) => kind)}::text[])`;
  return sql`(${rules.reduce((all, { kind, rule }) => sql`${all} when j.kind = ${kind} then (${rule})`, sql`case when j.kind is null then true`)} ${others} end)`;
}
