/** Tells the operator's webhook that a batch has ended: the same event that readers of the batch's stream got. */
import { z } from "zod";
import { sendWebhook } from "../../../delivery/send-webhook.ts";
import { TerminalError } from "../../../errors.ts";
import { type StageContext, sql } from "../../../jobs/index.ts";
import { type StoredBatchEvent, toBatchEvent } from "../batch-events.ts";
import type { HeatServices } from "../heat-services.ts";

export const WebhookInput = z.object({ batchId: z.uuid(), event: z.int().min(1) });
type WebhookInput = z.infer<typeof WebhookInput>;

export function callWebhook({ db, webhook }: Pick<HeatServices, "db" | "webhook">) {
  return async ({ input, signal }: StageContext<WebhookInput, object>) => {
    if (!webhook) {
      throw new TerminalError("WEBHOOK_NOT_CONFIGURED", "There is no webhook any more (DOCMILL_WEBHOOK_URL).");
    }
    const { batchId, event: number } = input;
    const [stored] = await db.query<StoredBatchEvent>(
      sql`select type, data from events where stream_id = ${batchId} and number = ${number}`,
    );
    if (!stored) throw new TerminalError("BATCH_EXPIRED", "The batch has expired before it could be told of.");
    const { type, data } = toBatchEvent(stored);
    const timestamp = new Date();
    const body = JSON.stringify({
      type,
      timestamp: timestamp.toISOString(),
      data: { batchId, eventId: number, ...data },
    });
    await sendWebhook({ ...webhook, id: `${batchId}-${number}`, timestamp, body }, signal);
    return { delivered: true };
  };
}
