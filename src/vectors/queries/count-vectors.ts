/** How many vectors a model has. */
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export async function countVectors(db: Queryable, modelId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from chunk_vectors where model_id = ${modelId}`);
  return row?.count ?? 0;
}
