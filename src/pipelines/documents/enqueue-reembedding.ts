/**
 * Documents that have passages without a vector of the model in use get a job that makes them: after another model was
 * chosen, all of them. Vectors of the old model stay until then and are never compared with the new ones.
 */
import { DocmillError } from "../../errors.ts";
import { type Engine, sql } from "../../jobs/index.ts";
import type { Documents } from "./documents.ts";

const portion = 200;

/** Answers how many documents are to be embedded. Those that are being processed do it by themselves. */
export async function enqueueReembedding(
  engine: Engine,
  { services, pipelines }: Pick<Documents, "services" | "pipelines">,
  signal: AbortSignal,
): Promise<number> {
  const { db, embedder } = services;
  let count = 0;
  for (let after = "00000000-0000-0000-0000-000000000000"; !signal.aborted; ) {
    const rows = await db.query<{ id: string; lacks: boolean }>(sql`
      select d.id, exists (
        select from chunks c where c.document_id = d.id and not exists (
          select from chunk_vectors v join embedding_models m on m.id = v.model_id
          where v.chunk_id = c.id and m.name = ${embedder.model})) as lacks
      from documents d left join jobs j on j.id = d.job_id
      where d.id > ${after} and d.generation > 0 and coalesce(j.status, 'completed') = 'completed'
      order by d.id limit ${portion}`);
    for (const { id } of rows.filter(({ lacks }) => lacks)) {
      await engine.enqueue(pipelines.reembed.job({ documentId: id })).then(
        () => count++,
        (error: unknown) => {
          // Another process was faster, or someone has it processed again just now.
          if (!(error instanceof DocmillError && error.code === "LOCK_HELD")) throw error;
        },
      );
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  return count;
}
