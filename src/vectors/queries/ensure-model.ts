/** The number a model has in the tables of vectors, given to it when its first vector is saved. */
import type { Queryable, Transaction } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface StoredModel {
  id: number;
  dimensions: number;
}

export async function findModel(db: Queryable, name: string): Promise<StoredModel | undefined> {
  const [model] = await db.query<StoredModel>(sql`
    select id, dimensions from embedding_models where name = ${name}`);
  return model;
}

export async function ensureModel(tx: Transaction, name: string, dimensions: number): Promise<StoredModel> {
  const known = await findModel(tx, name);
  if (known) return known;
  // Whoever inserts the same name at once waits here for the other's commit, and then finds its row.
  await tx.query(sql`
    insert into embedding_models (name, dimensions) values (${name}, ${dimensions}) on conflict (name) do nothing`);
  return (await findModel(tx, name)) as StoredModel;
}
