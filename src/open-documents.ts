/** Opens what documents need, as the settings say: storage, readers, OCR, models, vectors; and the pipelines on them. */
import { join } from "node:path";
import type { Settings } from "./config.ts";
import { countReading } from "./count-reading.ts";
import type { Database } from "./db/database.ts";
import { openDocumentReader } from "./formats/open-document-reader.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { DocumentServices } from "./pipelines/documents/document-services.ts";
import { type AfterDocument, createDocumentPipelines, type DocumentPipelines } from "./pipelines/documents/pipeline.ts";
import { openTextThreads } from "./pipelines/documents/text-threads.ts";
import type { Embedder } from "./providers/embeddings/embedder.ts";
import { openLocalEmbedder } from "./providers/embeddings/local/open-local-embedder.ts";
import { openAzureEmbedder, openOpenAiEmbedder } from "./providers/embeddings/open-openai-embedder.ts";
import { openAzureDocumentIntelligence } from "./providers/extraction/azure-document-intelligence.ts";
import type { ExtractionService } from "./providers/extraction/extraction-service.ts";
import type { ChatModel } from "./providers/models/chat-model.ts";
import { openChatModel } from "./providers/models/open-chat-model.ts";
import { openLocalOcr } from "./providers/ocr/local/open-local-ocr.ts";
import type { OcrEngine } from "./providers/ocr/ocr-engine.ts";
import { openAzureOcr } from "./providers/ocr/open-azure-ocr.ts";
import { openModelOcr } from "./providers/ocr/open-model-ocr.ts";
import { openOwnEmbedder } from "./providers/own/open-own-embedder.ts";
import { openOwnExtraction } from "./providers/own/open-own-extraction.ts";
import { openOwnModel } from "./providers/own/open-own-model.ts";
import { openOwnOcr } from "./providers/own/open-own-ocr.ts";
import type { Providers } from "./providers/own/own-providers.ts";
import type { BlobStore } from "./storage/blob-store.ts";
import { openBlobStore } from "./storage/open-blob-store.ts";
import { openVectorStore } from "./vectors/open-vector-store.ts";

export interface OpenDocuments {
  services: DocumentServices;
  pipelines: DocumentPipelines;
  close(): Promise<void>;
}

/** What a config file adds: providers of the user's own win over those the settings name. */
interface OwnParts {
  providers?: Providers;
  afterDocument?: AfterDocument;
}

type DocumentMetrics = Pick<Metrics, "watchThreads" | "pagesRead" | "tookIn" | "periodic">;

const openAi = "https://api.openai.com/v1";

export async function openDocuments(
  settings: Settings,
  db: Database,
  logger: Logger,
  { providers = {}, afterDocument }: OwnParts = {},
  metrics?: DocumentMetrics,
): Promise<OpenDocuments> {
  await using opening = new AsyncDisposableStack();
  const { threads } = settings;
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opening.defer(() => part.close());
    return part;
  };
  const model = openModel(settings, providers);
  const reader = keep(
    openDocumentReader({
      threads,
      memoryMb: settings.threadMemoryMb,
      partDeadlineMs: settings.pageTimeoutMs,
      maxPages: settings.maxPages,
      watch: metrics?.watchThreads("reader"),
    }),
  );
  const uncounted: DocumentServices = {
    db,
    blobs: keep(await openStorage(settings)),
    reader,
    ocr: keep(providers.ocr ? openOwnOcr(providers.ocr) : await openOcr(settings, model, metrics)),
    extraction: {
      azure: openExtraction(settings),
      own: providers.extraction && openOwnExtraction(providers.extraction, reader),
    },
    defaultExtraction: providers.extraction ? "own" : settings.extraction,
    model,
    embedder: keep(openEmbedder(settings, providers, metrics)),
    vectors: keep(await openVectorStore({ db, logger, threads, watch: metrics?.watchThreads("vectors") })),
    text: keep(openTextThreads({ threads, watch: metrics?.watchThreads("text") })),
    limits: {
      maxFileBytes: settings.maxFileMb * 2 ** 20,
      maxTextBytes: settings.maxTextMb * 2 ** 20,
      maxFilesPerRequest: settings.maxFilesPerRequest,
      // One more than there are threads, so that each finds its next page waiting.
      pagesAtOnce: threads + 1,
      fetchTimeoutMs: settings.fetchTimeoutMs,
      fetchAllow: settings.fetchAllow ?? [],
      bridgeCalls: settings.bridgeCalls,
    },
  };
  const services = metrics ? countReading(uncounted, metrics) : uncounted;
  const opened = opening.move();
  return { services, pipelines: createDocumentPipelines(services, afterDocument), close: () => opened.disposeAsync() };
}

export function openStorage(settings: Settings): Promise<BlobStore> {
  const { tempDir } = settings;
  switch (settings.storage) {
    case "folder":
      return openBlobStore({ kind: "folder", folder: join(settings.dataDir, "files") });
    case "s3":
      return openBlobStore({
        kind: "s3",
        bucket: settings.s3Bucket as string,
        prefix: settings.s3Prefix,
        region: settings.s3Region,
        endpoint: settings.s3Endpoint,
        accessKeyId: settings.s3AccessKeyId,
        secretAccessKey: settings.s3SecretAccessKey,
        tempDir,
      });
    case "azure":
      return openBlobStore({
        kind: "azure",
        connectionString: settings.azureStorage as string,
        container: settings.azureContainer,
        tempDir,
      });
  }
}

/** The language model, where one is given or named. */
export function openModel(settings: Settings, { model: own }: Providers): ChatModel | undefined {
  if (own) return openOwnModel(own);
  const { model, modelKey, modelUrl, modelTimeoutMs: timeoutMs } = settings;
  if (model === undefined) return undefined;
  switch (settings.modelProvider) {
    case "openai":
      return openChatModel({ baseUrl: modelUrl ?? openAi, apiKey: modelKey, model, timeoutMs });
    case "azure": {
      const [endpoint, apiKey] = [modelUrl as string, modelKey as string];
      const azure = { endpoint, apiKey, deployment: model, apiVersion: settings.azureApiVersion };
      return openChatModel({ azure, timeoutMs });
    }
  }
}

async function openOcr(
  settings: Settings,
  model: ChatModel | undefined,
  metrics?: DocumentMetrics,
): Promise<OcrEngine> {
  switch (settings.ocr) {
    case "local":
      return openLocalOcr({
        threads: settings.threads,
        languages: settings.ocrLanguages.split("+"),
        watch: metrics?.watchThreads("ocr"),
      });
    case "model":
      return openModelOcr({ chat: model as ChatModel });
    case "azure":
      return openAzureOcr({
        endpoint: settings.azureDiEndpoint as string,
        apiKey: settings.azureDiKey as string,
        timeoutMs: settings.modelTimeoutMs,
      });
  }
}

/** Where its address and key are known a document may ask for it, also if the setting names another. */
function openExtraction(settings: Settings): ExtractionService | undefined {
  const { azureDiEndpoint: endpoint, azureDiKey: apiKey, azureDiModel: model } = settings;
  if (endpoint === undefined || apiKey === undefined) return undefined;
  return openAzureDocumentIntelligence({ endpoint, apiKey, model, timeoutMs: settings.modelTimeoutMs });
}

export function openEmbedder(settings: Settings, { embeddings: own }: Providers, metrics?: DocumentMetrics): Embedder {
  if (own) return openOwnEmbedder(own);
  const {
    embeddingsUrl: url,
    embeddingsKey: apiKey,
    embeddingsModel: model,
    embeddingsDimensions: dimensions,
  } = settings;
  const { modelTimeoutMs: timeoutMs } = settings;
  switch (settings.embeddings) {
    case "local":
      return openLocalEmbedder({ threads: settings.threads, watch: metrics?.watchThreads("embeddings") });
    case "openai":
      return openOpenAiEmbedder({ baseUrl: url ?? openAi, apiKey, model, dimensions, timeoutMs });
    case "azure": {
      const address = { endpoint: url as string, apiKey: apiKey as string, deployment: model };
      return openAzureEmbedder({ ...address, apiVersion: settings.azureApiVersion, dimensions, timeoutMs });
    }
  }
}
