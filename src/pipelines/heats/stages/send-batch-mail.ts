/** Sends the message that a batch has ended, and erases the address with the commit that says it is sent. */
import { z } from "zod";
import { TerminalError } from "../../../errors.ts";
import { type Commit, type StageContext, sql } from "../../../jobs/index.ts";
import type { HeatServices } from "../heat-services.ts";
import { readBatchResults } from "../read-batches.ts";
import { writeBatchMail } from "../write-batch-mail.ts";

export const MailInput = z.object({ batchId: z.uuid() });
type MailInput = z.infer<typeof MailInput>;

type MailServices = Pick<HeatServices, "db" | "mailer" | "publicUrl">;

export function sendBatchMail({ db, mailer, publicUrl }: MailServices) {
  return async ({ input, signal, commit }: StageContext<MailInput, object>): Promise<Commit<{ sent: boolean }>> => {
    const { batchId } = input;
    const [batch] = await db.query<{ notifyEmail: string | null }>(
      sql`select notify_email from heat_batches where batch_id = ${batchId}`,
    );
    const address = batch?.notifyEmail ?? null;
    if (address !== null) {
      if (!mailer) {
        const message =
          "No mail server is configured. Set DOCMILL_SMTP_URL and DOCMILL_MAIL_FROM, then retry this job.";
        throw new TerminalError("MAIL_NOT_CONFIGURED", message);
      }
      const results = await readBatchResults(db, batchId);
      const link = `${publicUrl}/batches/${batchId}`;
      // The same id each time: a mailbox that got it before a crash shows it once.
      await mailer.send(
        { to: address, messageId: `batch-${batchId}@docmill`, ...writeBatchMail(results, link) },
        signal,
      );
    }
    return commit(async (tx) => {
      await tx.query(
        sql`update heat_batches set notify_email = null where batch_id = ${batchId} and notify_email = ${address}`,
      );
      return { sent: address !== null };
    });
  };
}
