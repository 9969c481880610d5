/**
 * What people do to documents: bring them in, have them read again, retry, cancel and delete them. A document and its job
 * are created in one transaction, so there is never one without the other.
 */
import { createHash } from "node:crypto";
import type { DocumentOptions } from "../../contract/documents.ts";
import { DocmillError } from "../../errors.ts";
import { derivedId, type Engine, newId, sql, type Transaction, toJson } from "../../jobs/index.ts";
import { documentPrefix } from "./blob-keys.ts";
import type { DocumentServices } from "./document-services.ts";
import type { DocumentPipelines } from "./pipeline.ts";
import { documentNotFound, findDocumentJob } from "./queries/find-document-job.ts";
import { isDocumentJob } from "./queries/is-document-job.ts";
import type { ArrivedFile } from "./store-file.ts";

/** A file in storage, or a url still to be fetched. */
interface NewDocument {
  id: string;
  filename: string;
  title?: string;
  options: DocumentOptions;
  file?: ArrivedFile;
  url?: string;
}

export interface CreatedDocuments {
  ids: string[];
  /** False when the Idempotency-Key led to documents that were there already. */
  created: boolean;
}

export interface DocumentActions {
  /** An id for a document that is about to come in; the same for the same key and place in the request. */
  chooseId(idempotencyKey: string | undefined, place: number): string;
  /** All of them, or none. */
  create(documents: readonly NewDocument[], idempotencyKey?: string): Promise<CreatedDocuments>;
  reprocess(id: string, options: DocumentOptions | undefined, idempotencyKey?: string): Promise<void>;
  retry(id: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** With everything that was made of it. */
  delete(id: string): Promise<void>;
}

export interface DocumentActionsOptions {
  engine: Engine;
  services: Pick<DocumentServices, "db" | "blobs">;
  pipelines: Pick<DocumentPipelines, "document">;
}

export function createDocumentActions({ engine, services, pipelines }: DocumentActionsOptions): DocumentActions {
  const { db, blobs } = services;

  return {
    chooseId: (key, place) => (key === undefined ? newId() : derivedId("document", key, place)),

    async create(documents, idempotencyKey) {
      const request = idempotencyKey === undefined ? undefined : describeRequest(documents);
      const created = await db.transaction(async (tx) => {
        const results: boolean[] = [];
        for (const [place, document] of documents.entries()) {
          const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}#${place}`;
          results.push(await createOne(tx, document, request, key));
        }
        return results.every((result) => result);
      });
      engine.announce(pipelines.document);
      return { ids: documents.map(({ id }) => id), created };
    },

    async reprocess(id, options, idempotencyKey) {
      const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}#0`;
      const request = key === undefined ? undefined : describeReprocess(id, options);
      await db.transaction(async (tx) => {
        // Whoever comes with the same key at the same time waits here, and then finds what the first one did.
        await tx.query(sql`select from documents where id = ${id} for update`);
        if (key !== undefined && (await wasAsked(tx, key, request))) return;
        const [document] = await tx.query<{
          generation: number;
          options: DocumentOptions;
          blobKey: string | null;
          sourceUrl: string | null;
        }>(sql`
          update documents set last_generation = last_generation + 1,
            options = coalesce(${toJson(options)}::jsonb, options)
          where id = ${id}
          returning last_generation as generation, options, blob_key, source_url`);
        if (!document) throw documentNotFound(id);
        const { generation, blobKey, sourceUrl } = document;
        const url = blobKey === null ? (sourceUrl ?? undefined) : undefined;
        const input = { documentId: id, generation, options: document.options, url, request };
        const job = await engine.enqueue(pipelines.document.job(input), { tx, idempotencyKey: key });
        await tx.query(sql`update documents set job_id = ${job.id} where id = ${id}`);
      });
      engine.announce(pipelines.document);
    },

    async retry(id) {
      await engine.retryJob(await findDocumentJob(db, id));
    },

    async cancel(id) {
      await engine.cancelJob(await findDocumentJob(db, id));
    },

    async delete(id) {
      await findDocumentJob(db, id);
      await cancelJobs(id);
      await db.transaction(async (tx) => {
        // Before its own row: whoever is connecting its passages holds them, and will want the row next.
        await tx.query(sql`select from chunks where document_id = ${id} order by id for update`);
        await tx.query(sql`delete from documents where id = ${id}`);
      });
      const keys: string[] = [];
      for await (const { key } of blobs.list(documentPrefix(id))) keys.push(key);
      await blobs.delete(keys);
    },
  };

  async function createOne(
    tx: Transaction,
    { id, filename, title, options, file, url }: NewDocument,
    request: string | undefined,
    idempotencyKey: string | undefined,
  ): Promise<boolean> {
    const job = pipelines.document.job({ documentId: id, generation: 1, options, url, request });
    const enqueued = await engine.enqueue(job, { tx, idempotencyKey });
    if (!enqueued.created) return false;
    await tx.query(sql`
      insert into documents (id, filename, title, format, content_type, size, sha256, source_url, blob_key, options, job_id)
      values (${id}, ${filename}, ${title ?? null}, ${file?.format ?? null}, ${file?.contentType ?? null},
        ${file?.size ?? null}, ${file?.sha256 ?? null}, ${url ?? null}, ${file?.blobKey ?? null},
        ${toJson(options)}::jsonb, ${enqueued.id})`);
    return true;
  }

  /** Whether this request created a job before; another one under its key goes on to be refused by the engine. */
  async function wasAsked(tx: Transaction, key: string, request: string | undefined): Promise<boolean> {
    const [job] = await tx.query(sql`
      select from idempotency_keys k join jobs j on j.id = k.job_id
      where k.key = ${key} and j.input ->> 'request' = ${request}`);
    return job !== undefined;
  }

  /** Its workers stop, and what they still write is refused: nothing comes back after the document has gone. */
  async function cancelJobs(id: string): Promise<void> {
    const active = await db.query<{ id: string }>(sql`
      select id from jobs where input ->> 'documentId' = ${id} and ${isDocumentJob}
        and status in ('pending', 'running')`);
    for (const job of active) {
      await engine.cancelJob(job.id).catch((error: unknown) => {
        // It ended by itself meanwhile.
        if (!(error instanceof DocmillError && error.code === "INVALID_TRANSITION")) throw error;
      });
    }
  }
}

/** What makes a request the same request: the files by content, their names, and what is asked for. */
function describeRequest(documents: readonly NewDocument[]): string {
  const content = documents.map(({ filename, title, options, file, url }) => [
    filename,
    title ?? null,
    options,
    file?.sha256 ?? null,
    url ?? null,
  ]);
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

function describeReprocess(id: string, options: DocumentOptions | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify(["reprocess", id, options ?? null]))
    .digest("hex");
}
