/** Who is told when a batch has ended: the address that was left for it, and the operator's webhook. */
import { type FinishedBatch, type NewJob, sql, type Transaction } from "../../jobs/index.ts";
import type { HeatPipelines } from "./pipeline.ts";

export interface NoticePipelines extends Pick<HeatPipelines, "mail" | "webhook"> {
  hasWebhook: boolean;
}

/** A batch that was cancelled has nothing to tell. */
export async function followBatch(
  { id, status }: FinishedBatch,
  tx: Transaction,
  { mail, webhook, hasWebhook }: NoticePipelines,
): Promise<NewJob[]> {
  if (status === "cancelled") return [];
  const [batch] = await tx.query<{ notifyEmail: string | null; lastEvent: number }>(sql`
    select h.notify_email, b.last_event from heat_batches h join batches b on b.id = h.batch_id where h.batch_id = ${id}`);
  if (!batch) return [];
  return [
    ...(batch.notifyEmail === null ? [] : [mail.job({ batchId: id })]),
    ...(hasWebhook ? [webhook.job({ batchId: id, event: batch.lastEvent })] : []),
  ];
}
