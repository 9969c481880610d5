/**
 * Every setting of Docmill: its name, meaning, default and what it may be. `config.ts` reads them from wherever they are
 * given; the documentation is made from this table.
 */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { z } from "zod";

export interface SettingFacts {
  env: string;
  meaning: string;
  /** What is shown as the default where it depends on something. */
  defaultText?: string;
  /** What is never printed: the whole value, all of an address behind its host, or who signs in by it. */
  secret?: "whole" | "path" | "password";
}

export const facts = z.registry<SettingFacts>();

const anHourMs = 3_600_000;
const storageKinds = ["folder", "s3", "azure"] as const;
const extractionKinds = ["local", "azure"] as const;
const ocrKinds = ["local", "model", "azure"] as const;
const remoteKinds = ["local", "openai", "azure"] as const;
const modelKinds = ["openai", "azure"] as const;
const modelInputs = ["text", "file"] as const;
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** All settings with their defaults. The environment names are kept in one place: here. */
export const settingsSchema = z.object({
  port: wholeNumber(0, 65_535)
    .default(3001)
    .register(facts, { env: "PORT", meaning: "Port of the HTTP server; 0 takes any free one." }),
  host: z.string().min(1).default("127.0.0.1").register(facts, {
    env: "HOST",
    meaning: "Address the HTTP server binds to; on any other than a loopback address keys are asked for.",
  }),
  requireKeys: yesOrNo().default(false).register(facts, {
    env: "DOCMILL_REQUIRE_KEYS",
    meaning: "Whether keys are asked for on a loopback address too, as behind a proxy; elsewhere they always are.",
  }),
  sessionHours: wholeNumber(1, 8_760).default(12).register(facts, {
    env: "DOCMILL_SESSION_HOURS",
    meaning: "How long a browser stays signed in.",
  }),
  rateLimit: wholeNumber(0, 1_000_000).optional().register(facts, {
    env: "DOCMILL_RATE_LIMIT",
    meaning: "Requests a minute that make work, for each key or address, in each process; 0 is no limit.",
    defaultText: "3000 where keys are asked for, else no limit",
  }),
  trustedProxies: list(isRange, "must be addresses or ranges like 10.0.0.0/8").register(facts, {
    env: "DOCMILL_TRUSTED_PROXIES",
    meaning: "Addresses and ranges of your own proxies, separated by commas: their X-Forwarded-For is believed.",
    defaultText: "none",
  }),
  dataDir: z.string().min(1).default("./data").register(facts, {
    env: "DOCMILL_DATA_DIR",
    meaning: "Folder for all data, relative to where Docmill is started; the embedded database and files are in it.",
  }),
  databaseUrl: postgresUrl().optional().register(facts, {
    env: "DATABASE_URL",
    meaning: "PostgreSQL 15 or newer to use instead of the embedded one; may be PgBouncer in transaction mode.",
    defaultText: "the embedded database",
    secret: "password",
  }),
  directUrl: postgresUrl().optional().register(facts, {
    env: "DOCMILL_DIRECT_URL",
    meaning: "The same database without a pooler, for LISTEN, where DATABASE_URL is a pooler.",
    defaultText: "DATABASE_URL",
    secret: "password",
  }),
  dbConnections: wholeNumber(2, 1_000).default(10).register(facts, {
    env: "DOCMILL_DB_CONNECTIONS",
    meaning:
      "Database connections a process may open for its work, besides 10 for claims, heartbeats, periodic work and notifications.",
  }),
  dbWaitMs: wholeNumber(0, anHourMs).default(30_000).register(facts, {
    env: "DOCMILL_DB_WAIT_MS",
    meaning: "How long a starting process waits for DATABASE_URL to answer before it gives up with exit code 3.",
  }),
  workers: yesOrNo().default(true).register(facts, {
    env: "DOCMILL_WORKERS",
    meaning: "Whether `serve` runs jobs itself; `false` or --no-workers leaves them to `docmill worker`.",
  }),
  concurrency: wholeNumber(1, 1_000)
    .default(() => availableParallelism())
    .register(facts, {
      env: "DOCMILL_CONCURRENCY",
      meaning: "Jobs that one process runs at the same time.",
      defaultText: "the number of cores",
    }),
  leaseMs: wholeNumber(1_000, 24 * anHourMs)
    .default(120_000)
    .register(facts, {
      env: "DOCMILL_LEASE_MS",
      meaning: "How long a worker that cannot be seen any more keeps its jobs before others take them.",
    }),
  heartbeatMs: wholeNumber(100, 8 * anHourMs)
    .optional()
    .register(facts, {
      env: "DOCMILL_HEARTBEAT_MS",
      meaning: "How often a worker renews its lease; a third of DOCMILL_LEASE_MS at most.",
      defaultText: "a quarter of DOCMILL_LEASE_MS",
    }),
  pollMs: wholeNumber(50, 60_000).default(2_000).register(facts, {
    env: "DOCMILL_POLL_MS",
    meaning: "How often a process looks for work and events that no notification told it of.",
  }),
  shutdownGraceMs: wholeNumber(0, anHourMs).default(30_000).register(facts, {
    env: "DOCMILL_SHUTDOWN_GRACE_MS",
    meaning: "How long running jobs may take to reach their next checkpoint after SIGTERM or Ctrl-C.",
  }),
  storage: z
    .enum(storageKinds, { error: `must be one of ${storageKinds.join(", ")}` })
    .default("folder")
    .register(facts, {
      env: "DOCMILL_STORAGE",
      meaning: "Where files are kept: `folder` (in the data folder), `s3` or `azure`.",
    }),
  s3Bucket: text().register(facts, { env: "DOCMILL_S3_BUCKET", meaning: "Bucket for `s3`.", defaultText: "none" }),
  s3Prefix: text().register(facts, {
    env: "DOCMILL_S3_PREFIX",
    meaning: "What every key in the bucket begins with.",
    defaultText: "nothing",
  }),
  s3Region: text().register(facts, {
    env: "DOCMILL_S3_REGION",
    meaning: "Region of the bucket.",
    defaultText: "us-east-1",
  }),
  s3Endpoint: httpUrl().optional().register(facts, {
    env: "DOCMILL_S3_ENDPOINT",
    meaning: "Address of an S3-compatible server (MinIO, Ceph, R2 …).",
    defaultText: "Amazon's",
  }),
  s3AccessKeyId: text().register(facts, {
    env: "DOCMILL_S3_ACCESS_KEY_ID",
    meaning: "Access key for `s3`.",
    defaultText: "what the AWS SDK finds: environment, profile, role",
  }),
  s3SecretAccessKey: text().register(facts, {
    env: "DOCMILL_S3_SECRET_ACCESS_KEY",
    meaning: "Secret that goes with DOCMILL_S3_ACCESS_KEY_ID.",
    defaultText: "as above",
    secret: "whole",
  }),
  azureStorage: text().register(facts, {
    env: "DOCMILL_AZURE_STORAGE",
    meaning: "Connection string of an Azure storage account, for `azure`.",
    defaultText: "none",
    secret: "whole",
  }),
  azureContainer: z.string().min(1).default("docmill").register(facts, {
    env: "DOCMILL_AZURE_CONTAINER",
    meaning: "Blob container for `azure`.",
  }),
  tempDir: text().register(facts, {
    env: "TEMP_FILE_DIR",
    meaning: "Folder for temporary copies of files that are kept elsewhere.",
    defaultText: "the system's",
  }),
  maxFileMb: wholeNumber(1, 100_000).default(500).register(facts, {
    env: "DOCMILL_MAX_FILE_MB",
    meaning: "Largest file that is taken, uploaded or fetched.",
  }),
  maxFilesPerRequest: wholeNumber(1, 10_000).default(1_000).register(facts, {
    env: "DOCMILL_MAX_FILES_PER_REQUEST",
    meaning: "Most files in one upload.",
  }),
  maxPages: wholeNumber(1, 1_000_000).default(10_000).register(facts, {
    env: "DOCMILL_MAX_PAGES",
    meaning: "Most pages a document may have.",
  }),
  maxTextMb: wholeNumber(1, 100_000).default(512).register(facts, {
    env: "DOCMILL_MAX_TEXT_MB",
    meaning: "What may be kept of the text of one document, words and their places included, in MB.",
  }),
  threads: wholeNumber(1, 256)
    .default(() => availableParallelism())
    .register(facts, {
      env: "DOCMILL_THREADS",
      meaning: "Threads that read files, and as many for OCR and for embeddings.",
      defaultText: "the number of cores",
    }),
  threadMemoryMb: wholeNumber(64, 16_384).default(768).register(facts, {
    env: "DOCMILL_THREAD_MEMORY_MB",
    meaning: "Memory that one thread may use for a file before it is stopped.",
  }),
  pageTimeoutMs: wholeNumber(100, anHourMs).default(60_000).register(facts, {
    env: "DOCMILL_PAGE_TIMEOUT_MS",
    meaning: "How long reading one page may take before it is stopped; OCR has twice as long.",
  }),
  fetchAllow: list(isAllowEntry, "must be hosts, host:port or address ranges like 10.0.0.0/8").register(facts, {
    env: "DOCMILL_FETCH_ALLOW",
    meaning:
      "Hosts, host:port and address ranges, separated by commas, that may be fetched from although they are not public.",
    defaultText: "none",
  }),
  fetchTimeoutMs: wholeNumber(100, anHourMs).default(120_000).register(facts, {
    env: "DOCMILL_FETCH_TIMEOUT_MS",
    meaning: "How long fetching a url may take.",
  }),
  maxPaidCalls: wholeNumber(1, 10_000).default(10).register(facts, {
    env: "MAX_CONCURRENT_AI_CALLS",
    meaning: "Calls to paid services under way at once, over all processes; the same in all of them.",
  }),
  maxPdfsPerBatch: wholeNumber(1, 1_000).default(15).register(facts, {
    env: "MAX_PDFS_PER_BATCH",
    meaning: "Most heat sheets, files and urls together, in one batch.",
  }),
  jobsPerBatch: wholeNumber(1, 1_000).default(3).register(facts, {
    env: "CONCURRENT_JOBS_PER_BATCH",
    meaning: "Heat sheets of one batch that are read at the same time, over all processes.",
  }),
  maxPdfMb: wholeNumber(1, 4_095).default(50).register(facts, {
    env: "DOCMILL_MAX_PDF_MB",
    meaning: "Largest heat sheet that is taken, uploaded or fetched.",
  }),
  sheetTimeoutMs: wholeNumber(100, anHourMs).default(30_000).register(facts, {
    env: "DOCMILL_SHEET_TIMEOUT_MS",
    meaning: "How long fetching a heat sheet, or a meet's web page, may take.",
  }),
  batchDays: wholeNumber(1, 3_650).default(30).register(facts, {
    env: "DOCMILL_BATCH_DAYS",
    meaning: "How many days a batch of heat sheets is kept, with its files and results.",
  }),
  keepJobsDays: keptDays().default(30).register(facts, {
    env: "DOCMILL_KEEP_JOBS_DAYS",
    meaning:
      "How many days a job is kept after its end, with its events; 0 is for ever. What a document or book still needs stays.",
  }),
  keepLedgerDays: keptDays().default(365).register(facts, {
    env: "DOCMILL_KEEP_LEDGER_DAYS",
    meaning: "How many days a paid answer is kept that no job refers to any more; 0 is for ever.",
  }),
  keepAuditDays: keptDays().default(365).register(facts, {
    env: "DOCMILL_KEEP_AUDIT_DAYS",
    meaning: "How many days an entry of the audit log is kept; 0 is for ever.",
  }),
  maxActiveBookJobs: wholeNumber(1, 1_000).default(1).register(facts, {
    env: "MAX_ACTIVE_BOOK_JOBS",
    meaning: "Jobs on books that run at the same time, over all processes.",
  }),
  maxImageMb: wholeNumber(1, 1_000).default(50).register(facts, {
    env: "DOCMILL_MAX_IMAGE_MB",
    meaning: "Largest scan that is taken for a book.",
  }),
  publicUrl: httpUrl().optional().register(facts, {
    env: "DOCMILL_PUBLIC_URL",
    meaning: "Where people reach this server: what links in messages begin with.",
    defaultText: "http:// with HOST and PORT",
  }),
  smtpUrl: mailUrl().optional().register(facts, {
    env: "DOCMILL_SMTP_URL",
    meaning: "Mail server for messages that a batch has ended, like smtp://user:password@host:587.",
    defaultText: "none",
    secret: "password",
  }),
  mailFrom: text().register(facts, {
    env: "DOCMILL_MAIL_FROM",
    meaning: "Sender of these messages, like `Docmill <docmill@example.org>`.",
    defaultText: "none",
  }),
  webhookUrl: httpUrl().optional().register(facts, {
    env: "DOCMILL_WEBHOOK_URL",
    meaning: "Address that is told when a batch has ended (Standard Webhooks).",
    defaultText: "none",
    secret: "path",
  }),
  webhookSecret: text().register(facts, {
    env: "DOCMILL_WEBHOOK_SECRET",
    meaning: "Key by which what is sent to DOCMILL_WEBHOOK_URL is signed: `whsec_` and the key in base64.",
    defaultText: "none",
    secret: "whole",
  }),
  extraction: z
    .enum(extractionKinds, { error: `must be one of ${extractionKinds.join(", ")}` })
    .default("local")
    .register(facts, {
      env: "DOCMILL_EXTRACTION",
      meaning: "Who reads pages, tables and fields: `local`, or `azure` (Document Intelligence).",
    }),
  azureDiEndpoint: httpUrl().optional().register(facts, {
    env: "DOCMILL_AZURE_DI_ENDPOINT",
    meaning: "Address of an Azure Document Intelligence resource.",
    defaultText: "none",
  }),
  azureDiKey: text().register(facts, {
    env: "DOCMILL_AZURE_DI_KEY",
    meaning: "Key of that resource.",
    defaultText: "none",
    secret: "whole",
  }),
  azureDiModel: z.string().min(1).default("prebuilt-layout").register(facts, {
    env: "DOCMILL_AZURE_DI_MODEL",
    meaning: "Document Intelligence model that reads documents.",
  }),
  ocr: z
    .enum(ocrKinds, { error: `must be one of ${ocrKinds.join(", ")}` })
    .default("local")
    .register(facts, {
      env: "DOCMILL_OCR",
      meaning: "Who reads pages without text: `local` (tesseract), `model` (DOCMILL_MODEL, with vision) or `azure`.",
    }),
  ocrLanguages: z.string().min(1).default("eng").register(facts, {
    env: "DOCMILL_OCR_LANGUAGES",
    meaning:
      "Languages for local OCR, the likeliest first, joined with +: names whose data tesseract has, or paths of .traineddata files.",
  }),
  embeddings: z
    .enum(remoteKinds, { error: `must be one of ${remoteKinds.join(", ")}` })
    .default("local")
    .register(facts, {
      env: "DOCMILL_EMBEDDINGS",
      meaning: "Who makes vectors: `local` (English, offline), `openai` (or compatible) or `azure`.",
    }),
  embeddingsUrl: httpUrl().optional().register(facts, {
    env: "DOCMILL_EMBEDDINGS_URL",
    meaning: "Base address of the embeddings service: of an OpenAI-compatible API, or of the Azure resource.",
    defaultText: "https://api.openai.com/v1",
  }),
  embeddingsKey: text().register(facts, {
    env: "DOCMILL_EMBEDDINGS_KEY",
    meaning: "Key for the embeddings service.",
    defaultText: "none",
    secret: "whole",
  }),
  embeddingsModel: z.string().min(1).default("text-embedding-3-small").register(facts, {
    env: "DOCMILL_EMBEDDINGS_MODEL",
    meaning: "Model (for `azure`: deployment) that makes vectors.",
  }),
  embeddingsDimensions: wholeNumber(8, 4_096).optional().register(facts, {
    env: "DOCMILL_EMBEDDINGS_DIMENSIONS",
    meaning: "Length of the vectors, where the model lets one choose.",
    defaultText: "the model's",
  }),
  modelProvider: z
    .enum(modelKinds, { error: `must be one of ${modelKinds.join(", ")}` })
    .default("openai")
    .register(facts, {
      env: "DOCMILL_MODEL_PROVIDER",
      meaning: "How the language model is spoken to: `openai` (or compatible) or `azure`.",
    }),
  modelUrl: httpUrl().optional().register(facts, {
    env: "DOCMILL_MODEL_URL",
    meaning: "Base address of the language model's service.",
    defaultText: "https://api.openai.com/v1",
  }),
  modelKey: text().register(facts, {
    env: "DOCMILL_MODEL_KEY",
    meaning: "Key for the language model's service.",
    defaultText: "none",
    secret: "whole",
  }),
  model: text().register(facts, {
    env: "DOCMILL_MODEL",
    meaning:
      "Language model (for `azure`: deployment). Left out, there is none, and what it would add is left out too.",
    defaultText: "none",
  }),
  modelInput: z
    .enum(modelInputs, { error: `must be one of ${modelInputs.join(", ")}` })
    .default("text")
    .register(facts, {
      env: "DOCMILL_MODEL_INPUT",
      meaning: "How the language model gets to see a heat sheet: its `text`, or the PDF `file`, which not all take.",
    }),
  modelTimeoutMs: wholeNumber(1_000, anHourMs).default(300_000).register(facts, {
    env: "DOCMILL_MODEL_TIMEOUT_MS",
    meaning: "How long one answer of a remote service may take.",
  }),
  azureApiVersion: z.string().min(1).default("2024-10-21").register(facts, {
    env: "DOCMILL_AZURE_OPENAI_API_VERSION",
    meaning: "Version of the Azure OpenAI API.",
  }),
  bridgeCalls: wholeNumber(0, 1_000).default(20).register(facts, {
    env: "DOCMILL_BRIDGE_CALLS",
    meaning: "Questions to the language model about thematic bridges, for one document.",
  }),
  logLevel: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` })
    .default("info")
    .register(facts, {
      env: "DOCMILL_LOG_LEVEL",
      meaning: "Least important log line that is written; `debug` also shows where an error happened.",
    }),
  metricsPort: wholeNumber(0, 65_535).optional().register(facts, {
    env: "DOCMILL_METRICS_PORT",
    meaning: "Port at which `docmill worker` shows its /metrics; 0 takes any free one. `serve` has them on its own.",
    defaultText: "none",
  }),
  metricsHost: z.string().min(1).default("127.0.0.1").register(facts, {
    env: "DOCMILL_METRICS_HOST",
    meaning: "Address for DOCMILL_METRICS_PORT; on any other than a loopback address keys are asked for.",
  }),
  otlpEndpoint: httpUrl().optional().register(facts, {
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    meaning: "Address of an OpenTelemetry receiver (OTLP over HTTP), like http://127.0.0.1:4318, that gets traces.",
    defaultText: "none: nothing is traced",
  }),
  otlpTracesEndpoint: httpUrl().optional().register(facts, {
    env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    meaning: "The same with its whole path, where that is not /v1/traces.",
    defaultText: "OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces",
  }),
  otlpHeaders: headerList().optional().register(facts, {
    env: "OTEL_EXPORTER_OTLP_HEADERS",
    meaning: "Headers for that receiver: `name=value`, separated by commas, values percent-encoded.",
    defaultText: "none",
    secret: "whole",
  }),
  serviceName: z.string().min(1).default("docmill").register(facts, {
    env: "OTEL_SERVICE_NAME",
    meaning: "What this process is called in traces.",
  }),
  configFile: z.string().min(1).optional().register(facts, {
    env: "DOCMILL_CONFIG",
    meaning: "File with your pipelines (--config).",
    defaultText: "docmill.config.ts, .mts, .js or .mjs in the folder where Docmill is started, if there is one",
  }),
  server: httpUrl().optional().register(facts, {
    env: "DOCMILL_SERVER",
    meaning: "Server that add, search, run, status, watch, cancel and retry talk to.",
    defaultText: "http://127.0.0.1 at PORT",
  }),
  apiKey: text().register(facts, {
    env: "DOCMILL_API_KEY",
    meaning: "Key that those commands send to the server, where it asks for one.",
    defaultText: "none",
    secret: "whole",
  }),
});

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  const toNumber = (value: unknown) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value);
  return z.preprocess(toNumber, z.int({ error }).min(min, { error }).max(max, { error }));
}

function yesOrNo() {
  const words: Record<string, boolean> = {
    true: true,
    yes: true,
    on: true,
    1: true,
    false: false,
    no: false,
    off: false,
    0: false,
  };
  const toBoolean = (value: unknown) => (typeof value === "string" ? (words[value.toLowerCase()] ?? value) : value);
  return z.preprocess(toBoolean, z.boolean({ error: "must be true or false" }));
}

function postgresUrl() {
  return z.string().refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
    error: "must be a url like postgres://user:password@host:5432/database",
  });
}

function httpUrl() {
  return z
    .url({ protocol: /^https?$/, error: "must be a url like http://127.0.0.1:3001" })
    .refine((url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === "", {
      error: "must not carry a user name or password",
    });
}

function headerList() {
  return z.string().regex(/^\s*[\w-]+\s*=[^,]*(,\s*[\w-]+\s*=[^,]*)*$/, {
    error: "must be headers like name=value,name=value",
  });
}

function mailUrl() {
  return z.string().refine((address) => /^smtps?:\/\/[^/]/.test(address) && URL.canParse(address), {
    error: "must be a url like smtp://user:password@host:587 or smtps://host",
  });
}

/** An address, or a range of them. */
function isRange(entry: string): boolean {
  const [address = "", bits, ...more] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function keptDays() {
  return wholeNumber(0, 36_500);
}

function text() {
  return z.string().min(1).optional();
}

/** Entries separated by commas or spaces. */
function list(isEntry: (text: string) => boolean, error: string) {
  const toList = (value: unknown) => (typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value);
  return z.preprocess(toList, z.array(z.string({ error }).refine(isEntry, { error }), { error }).optional());
}

/** Found at the start rather than by the first fetch. */
function isAllowEntry(entry: string): boolean {
  return isRange(entry) || (!/[?#@\\/]/.test(entry) && URL.canParse(`http://${entry}`));
}
