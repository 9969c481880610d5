/** Opens what batches of heat sheets need besides what documents have open already, and the pipelines on it. */
import type { Settings } from "./config.ts";
import { countSheets } from "./count-reading.ts";
import { openMailer } from "./delivery/send-mail.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { DocumentServices } from "./pipelines/documents/document-services.ts";
import type { HeatServices } from "./pipelines/heats/heat-services.ts";
import { createHeatPipelines, type HeatPipelines } from "./pipelines/heats/pipeline.ts";
import { openSheetThreads } from "./pipelines/heats/sheet-threads.ts";

export interface OpenHeats {
  services: HeatServices;
  pipelines: HeatPipelines;
  close(): Promise<void>;
}

const aDayMs = 24 * 3_600_000;
/** Hundreds of pages of words at most; a file with more is no heat sheet. */
const maxSheetPages = 1_000;

export function openHeats(settings: Settings, documents: DocumentServices, metrics?: Metrics): OpenHeats {
  const { db, blobs, reader, ocr, model } = documents;
  const { threads, threadMemoryMb: memoryMb, pageTimeoutMs: deadlineMs, smtpUrl, webhookUrl } = settings;
  const watch = metrics?.watchThreads("sheets");
  const uncounted = openSheetThreads({ threads, memoryMb, deadlineMs, maxPages: maxSheetPages, watch });
  const sheets = metrics ? countSheets(uncounted, metrics) : uncounted;
  const mailer = smtpUrl === undefined ? undefined : openMailer({ url: smtpUrl, from: settings.mailFrom as string });
  const services: HeatServices = {
    db,
    blobs,
    sheets,
    reader,
    ocr,
    model,
    modelInput: settings.modelInput,
    mailer,
    webhook: webhookUrl === undefined ? undefined : { url: webhookUrl, secret: settings.webhookSecret as string },
    publicUrl: settings.publicUrl,
    limits: {
      maxPdfsPerBatch: settings.maxPdfsPerBatch,
      perBatch: settings.jobsPerBatch,
      maxPdfBytes: settings.maxPdfMb * 2 ** 20,
      fetchTimeoutMs: settings.sheetTimeoutMs,
      fetchAllow: settings.fetchAllow ?? [],
      keepMs: settings.batchDays * aDayMs,
    },
  };
  return {
    services,
    pipelines: createHeatPipelines(services),
    async close() {
      mailer?.close();
      await sheets.close();
    },
  };
}
