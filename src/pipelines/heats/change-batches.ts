/**
 * What people do to batches of heat sheets: start one, cancel it, try sheets again, leave an address. A batch, its jobs and
 * the rows of its files are created in one transaction, so there is never one without the others.
 */
import { DocmillError } from "../../errors.ts";
import { swimmerKey } from "../../heatsheets/match-name.ts";
import { type Engine, isUuid, newId, sql, type Transaction } from "../../jobs/index.ts";
import type { HeatServices } from "./heat-services.ts";
import type { HeatPipelines } from "./pipeline.ts";
import { findBatch } from "./queries/find-batch.ts";
import type { StoredPdf } from "./store-pdf.ts";

/** A file in storage, or a url still to be fetched. */
export type NewSheet = { filename: string } & ({ file: StoredPdf } | { url: string });

export interface NewSheetBatch {
  /** Under which the files are in storage. */
  id: string;
  swimmerName: string;
  extractor: "auto" | "ai";
  notifyEmail?: string;
  sheets: readonly NewSheet[];
}

export interface CreatedBatch {
  id: string;
  totalJobs: number;
  /** False when the Idempotency-Key led to a batch that was there already. */
  created: boolean;
}

export interface BatchActions {
  chooseId(): string;
  create(batch: NewSheetBatch, idempotencyKey?: string): Promise<CreatedBatch>;
  /** Answers how many sheets were cancelled. */
  cancel(id: string): Promise<number>;
  /** Tries again what failed or was cancelled; answers how many. */
  retry(id: string): Promise<number>;
  retryJob(id: string, jobId: string): Promise<void>;
  /** A message to this address when the batch has ended, or now if it has. */
  notify(id: string, email: string): Promise<void>;
}

export interface BatchActionsOptions {
  engine: Engine;
  services: Pick<HeatServices, "db" | "limits">;
  pipelines: HeatPipelines;
}

export function createBatchActions({ engine, services, pipelines }: BatchActionsOptions): BatchActions {
  const { db, limits } = services;

  return {
    chooseId: newId,

    async create({ id, swimmerName, extractor, notifyEmail, sheets }, idempotencyKey) {
      const key = swimmerKey(swimmerName);
      const jobs = sheets.map((sheet) => {
        const url = "url" in sheet ? sheet.url : undefined;
        return pipelines.sheet.job({ filename: sheet.filename, url, swimmerName, swimmerKey: key, extractor });
      });
      // What makes two requests the same: their files by content, not by where each try has put them.
      const content = sheets.map((sheet) => ("url" in sheet ? sheet.url : [sheet.filename, sheet.file.sha256]));
      const request = { extractor, notifyEmail, content };
      const batch = { pipeline: pipelines.sheet, id, jobs, data: { swimmerName }, request };
      const expiresIn = `${limits.keepMs} ms`;
      const created = await db.transaction(async (tx) => {
        const made = await engine.createBatch(batch, { tx, idempotencyKey });
        if (!made.created) return made;
        await tx.query(sql`
          insert into heat_batches (batch_id, swimmer_name, swimmer_key, extractor, notify_email, expires_at)
          values (${id}, ${swimmerName}, ${key}, ${extractor}, ${notifyEmail}, now() + ${expiresIn}::interval)`);
        const rows = sheets.map((sheet, index) => ({
          job_id: made.jobIds[index],
          sequence: index + 1,
          filename: sheet.filename,
          source_url: "url" in sheet ? sheet.url : null,
          blob_key: "file" in sheet ? sheet.file.blobKey : null,
          size: "file" in sheet ? sheet.file.size : null,
          sha256: "file" in sheet ? sheet.file.sha256 : null,
        }));
        await tx.query(sql`
          insert into heat_sources (job_id, batch_id, sequence, filename, source_url, blob_key, size, sha256)
          select job_id, ${id}, sequence, filename, source_url, blob_key, size, sha256
          from json_to_recordset(${JSON.stringify(rows)}) as s (job_id uuid, sequence integer, filename text, source_url text,
            blob_key text, size bigint, sha256 text)`);
        return made;
      });
      engine.announce(pipelines.sheet);
      return { id: created.id, totalJobs: created.jobIds.length, created: created.created };
    },

    async cancel(id) {
      await findBatch(db, id);
      return engine.cancelBatch(id);
    },

    async retry(id) {
      await findBatch(db, id);
      return engine.retryBatch(id);
    },

    async retryJob(id, jobId) {
      await findBatch(db, id);
      const [job] = isUuid(jobId)
        ? await db.query<{ status: string }>(sql`
            select j.status from heat_sources s join jobs j on j.id = s.job_id where s.job_id = ${jobId} and s.batch_id = ${id}`)
        : [];
      if (!job) throw new DocmillError("NOT_FOUND", `Batch ${id} has no sheet ${jobId.slice(0, 100)}.`);
      if (job.status !== "failed") throw notFailed(jobId, job.status);
      await engine.retryJob(jobId).catch((error: unknown) => {
        // Someone else was quicker.
        if (error instanceof DocmillError && error.code === "INVALID_TRANSITION") {
          throw notFailed(jobId, String(error.details?.from));
        }
        throw error;
      });
    },

    async notify(id, email) {
      await findBatch(db, id);
      const queued = await db.transaction(async (tx) => {
        // The same lock that ending the batch takes: either its end sees the address, or we see its end.
        const [batch] = await tx.query<{ status: string }>(
          sql`select status from batches where id = ${id} for no key update`,
        );
        const [left] = await tx.query<{ notifyEmail: string | null }>(
          sql`select notify_email from heat_batches where batch_id = ${id} for update`,
        );
        await tx.query(sql`update heat_batches set notify_email = ${email} where batch_id = ${id}`);
        if (!batch || ["pending", "running", "cancelled"].includes(batch.status)) return false;
        if (left?.notifyEmail === email && (await isUnderWay(tx, pipelines.mail.kind, id))) return false;
        await engine.enqueue(pipelines.mail.job({ batchId: id }), { tx });
        return true;
      });
      if (queued) engine.announce(pipelines.mail);
    },
  };
}

/** Whether a message is being sent or about to be: a second one to the same address would double it. */
async function isUnderWay(tx: Transaction, kind: string, batchId: string): Promise<boolean> {
  const jobs = await tx.query(sql`
    select from jobs where kind = ${kind} and input ->> 'batchId' = ${batchId}
      and (status = 'running' or (status = 'pending' and run_at <= now()))`);
  return jobs.length > 0;
}

function notFailed(jobId: string, status: string): DocmillError {
  const message = `Sheet ${jobId} is ${status}; only one that has failed can be tried again.`;
  return new DocmillError("NOT_FAILED", message, { details: { status } });
}
