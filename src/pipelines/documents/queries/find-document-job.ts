/** The job that processes a document, or did so last. Throws NOT_FOUND. */
import { DocmillError } from "../../../errors.ts";
import { type Database, sql } from "../../../jobs/index.ts";

export async function findDocumentJob(db: Pick<Database, "query">, id: string): Promise<string> {
  const [document] = await db.query<{ jobId: string }>(sql`select job_id from documents where id = ${id}`);
  if (!document) throw documentNotFound(id);
  return document.jobId;
}

/** The same, and whether it is the first that ever worked on the document. Throws NOT_FOUND. */
export async function findDocumentStream(
  db: Pick<Database, "query">,
  id: string,
): Promise<{ jobId: string; isFirst: boolean }> {
  const [document] = await db.query<{ jobId: string; isFirst: boolean }>(
    sql`select job_id, last_generation = 1 as is_first from documents where id = ${id}`,
  );
  if (!document) throw documentNotFound(id);
  return document;
}

export function documentNotFound(id: string): DocmillError {
  return new DocmillError("NOT_FOUND", `There is no document ${id}.`);
}
