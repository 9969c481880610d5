/** The pipelines of heat sheets: reading one for a swimmer, and telling people that a batch has ended. */
import { type AnyPipeline, pipeline, sql } from "../../jobs/index.ts";
import { describeBatch } from "./describe-batch.ts";
import { followBatch } from "./follow-batch.ts";
import type { HeatServices } from "./heat-services.ts";
import { toSheetError } from "./sheet-errors.ts";
import { SheetInput } from "./sheet-input.ts";
import { askModel } from "./stages/ask-model.ts";
import { callWebhook, WebhookInput } from "./stages/call-webhook.ts";
import { checkSheet } from "./stages/check-sheet.ts";
import { downloadSheet } from "./stages/download-sheet.ts";
import { extractSwims } from "./stages/extract-swims.ts";
import { saveResult } from "./stages/save-result.ts";
import { MailInput, sendBatchMail } from "./stages/send-batch-mail.ts";

const sheetKind = "heat_sheet";
const mailKind = "batch_mail";
const webhookKind = "batch_webhook";
export const heatKinds = [sheetKind, mailKind, webhookKind];

const createdBy = "POST /api/batch/extract";

/** A batch has a time of its own, after which it goes as a whole. */
const stillNeeded = sql`exists (select from heat_sources s where s.job_id = j.id)`;

export function createHeatPipelines(services: HeatServices) {
  const mail = pipeline(mailKind, {
    input: MailInput,
    // A mail server that greylists takes a message after some minutes.
    retry: { attempts: 8, baseMs: 10_000, factor: 3, capMs: 3_600_000 },
    createdBy,
  }).stage("send", sendBatchMail(services));

  const webhook = pipeline(webhookKind, {
    input: WebhookInput,
    retry: { attempts: 8, baseMs: 5_000, factor: 4, capMs: 6 * 3_600_000 },
    createdBy,
  }).stage("call", callWebhook(services));

  const sheet = pipeline(sheetKind, {
    input: SheetInput,
    retry: { attempts: 4, baseMs: 1_000, factor: 2 },
    whenLost: "retry",
    perBatch: services.limits.perBatch,
    createdBy,
    classify: toSheetError,
    describeResult: (result) => result as Record<string, unknown>,
    describeBatch,
    stillNeeded,
  })
    .stage("downloading", downloadSheet(services))
    .stage("checking", checkSheet(services))
    .stage("uploading_to_ai", askModel(services))
    .stage("extracting", extractSwims(services))
    .stage("caching", saveResult())
    .afterBatch((batch, tx) => followBatch(batch, tx, { mail, webhook, hasWebhook: services.webhook !== undefined }));

  return { sheet, mail, webhook, all: [sheet, mail, webhook] as unknown as AnyPipeline[] };
}

export type HeatPipelines = ReturnType<typeof createHeatPipelines>;
