/** Documents on the wire: what `/api/documents`, `/api/search` and `/api/connections` take and give. */
import { z } from "zod";
import { JobSummary } from "./jobs.ts";
import { FilePart } from "./operation.ts";

const timestamp = z.iso.datetime();
const Id = z.uuid().toLowerCase();
/** What the database can hold. */
const withoutNul = z.string().regex(/^[^\0]*$/, "must not contain the character U+0000");
const Limit = z.coerce.number<number>().int().min(1).max(500).describe("How many at most.");
const Cursor = z.string().max(2_000).describe("nextCursor of the page before.");

/** A page of anything. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

const documentStates = ["Processing", "Ready", "Failed", "Cancelled"] as const;
const DocumentState = z.enum(documentStates).meta({ id: "DocumentState" });
export type DocumentState = z.infer<typeof DocumentState>;

/** Where processing is. The ones that end in a past participle are checkpoints. */
const processingStages = [
  "pending",
  "extracting",
  "extracted",
  "saving_markdown",
  "markdown_saved",
  "chunking",
  "chunked",
  "embedding",
  "embedded",
  "complete",
  "failed",
  "cancelled",
] as const;
export const ProcessingStage = z.enum(processingStages).meta({ id: "ProcessingStage" });
export type ProcessingStage = z.infer<typeof ProcessingStage>;

export const Box = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe("In points (1/72 inch) from the top left corner of the page as it is shown.")
  .meta({ id: "Box" });

/** How one document is to be processed, where it should differ from the server's settings. */
export const DocumentOptions = z
  .strictObject({
    ocr: z.enum(["auto", "always", "never"]).optional().describe("auto: pages without usable text. Left out: auto."),
    extraction: z
      .enum(["local", "azure", "own"])
      .optional()
      .describe("Who reads pages, fields and tables; own is the provider of the config file."),
  })
  .meta({ id: "DocumentOptions" });
export type DocumentOptions = z.infer<typeof DocumentOptions>;

export const DocumentSummary = z
  .object({
    id: z.uuid(),
    filename: z.string(),
    title: z.string().nullable(),
    contentType: z.string().nullable().describe("From the file's bytes; null until a url has been fetched."),
    format: z.string().nullable(),
    size: z.int().nullable(),
    sha256: z.string().nullable(),
    sourceUrl: z.string().nullable(),
    status: DocumentState,
    stage: ProcessingStage,
    progress: z.object({
      totalItems: z.int().nullable(),
      completedItems: z.int(),
      failedItems: z.int(),
      message: z.string().nullable(),
    }),
    jobId: z.uuid(),
    pageCount: z.int().nullable(),
    chunkCount: z.int(),
    fieldCount: z.int(),
    tableCount: z.int(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    createdAt: timestamp,
    processedAt: timestamp.nullable(),
  })
  .meta({ id: "DocumentSummary" });
export type DocumentSummary = z.infer<typeof DocumentSummary>;

const LostConnection = z
  .object({
    type: z.string(),
    sourceText: z.string(),
    targetText: z.string(),
    targetDocumentId: z.uuid(),
    userValidated: z.boolean().nullable(),
    userStarred: z.boolean(),
  })
  .meta({ id: "LostConnection" });

/** What became of the connections people had judged when the document was read again. */
export const CarriedConnections = z
  .object({ kept: z.int(), moved: z.int(), lost: z.array(LostConnection) })
  .meta({ id: "CarriedConnections" });
export type CarriedConnections = z.infer<typeof CarriedConnections>;

export const DocumentDetail = DocumentSummary.extend({
  author: z.string().nullable(),
  language: z.string().nullable(),
  options: DocumentOptions,
  /** How often it has been read with success. */
  generation: z.int(),
  wordCount: z.int().nullable(),
  embeddedChunks: z.int().describe("Chunks that have a vector of the model in use."),
  embeddingModel: z.string(),
  connectionCount: z.int(),
  carriedConnections: CarriedConnections.nullable(),
  job: JobSummary.nullable(),
}).meta({ id: "DocumentDetail" });
export type DocumentDetail = z.infer<typeof DocumentDetail>;

export const DocumentParams = z.object({ id: Id.describe("The document's id.") });
export const DocumentPageParams = DocumentParams.extend({
  page: z.coerce.number<number>().int().min(1).max(1_000_000).describe("The number of the page, from 1."),
});
export const PageImageQuery = z.object({
  dpi: z.coerce.number<number>().int().min(18).max(400).default(110).describe("Dots per inch."),
});

export const DocumentQuery = z.object({
  status: DocumentState.optional().describe("Only those in this state."),
  format: withoutNul.max(20).optional().describe("Only those of this format: pdf, docx, md …"),
  q: withoutNul.min(1).max(200).optional().describe("Part of the file name or the title."),
  sort: z.enum(["newest", "oldest", "name"]).default("newest").describe("What comes first."),
  limit: Limit.default(50),
  cursor: Cursor.optional(),
});
export type DocumentQuery = z.infer<typeof DocumentQuery>;
export const DocumentList = listOf(DocumentSummary).meta({ id: "DocumentList" });
export type DocumentList = z.infer<typeof DocumentList>;

/** One uploaded file is answered with its document, several with a list of them. */
export const UploadAnswer = z.union([DocumentSummary, z.array(DocumentSummary)]).meta({ id: "UploadAnswer" });

export const DocumentTitle = withoutNul.trim().min(1).max(500);

/** What an upload is made of. */
export const DocumentForm = z.object({
  file: z.array(FilePart).describe("The file, or several."),
  title: z.string().optional().describe("What the document is called."),
  options: DocumentOptions.optional().describe("How to process them."),
});

export const FromUrlRequest = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: "must be a url like https://example.com/paper.pdf" })
      .max(8_192)
      // It is stored and shown with the document.
      .refine((url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === "", {
        error: "must not carry a user name or password",
      }),
    title: DocumentTitle.optional(),
    options: DocumentOptions.optional(),
  })
  .meta({ id: "FromUrlRequest", examples: [{ url: "https://example.com/paper.pdf", title: "A paper" }] });

export const ReprocessRequest = z
  .strictObject({ options: DocumentOptions.optional() })
  .meta({ id: "ReprocessRequest" });

export const PageQuery = z.object({ limit: Limit.default(100), cursor: Cursor.optional() });
export type PageQuery = z.infer<typeof PageQuery>;

const DocumentChunk = z
  .object({
    id: z.uuid(),
    index: z.int(),
    content: z.string(),
    headingPath: z.array(z.string()),
    start: z.int().describe("Offset into the markdown, in UTF-16 units."),
    end: z.int(),
    page: z.int().nullable(),
    pageTo: z.int().nullable(),
    tokens: z.int(),
    embedded: z.boolean(),
  })
  .meta({ id: "DocumentChunk" });
export type DocumentChunk = z.infer<typeof DocumentChunk>;
export const DocumentChunkList = listOf(DocumentChunk).meta({ id: "DocumentChunkList" });
export type DocumentChunkList = z.infer<typeof DocumentChunkList>;

const DocumentField = z
  .object({
    key: z.string(),
    value: z.string(),
    kind: z.enum(["text", "date", "amount", "number", "checkbox"]),
    normalized: z.string().nullable().describe("A date as YYYY-MM-DD, an amount as a plain decimal."),
    confidence: z.number(),
    page: z.int(),
    box: Box.nullable(),
    source: z.string(),
  })
  .meta({ id: "DocumentField" });
export type DocumentField = z.infer<typeof DocumentField>;
export const DocumentFieldList = listOf(DocumentField).meta({ id: "DocumentFieldList" });
export type DocumentFieldList = z.infer<typeof DocumentFieldList>;

const DocumentTable = z
  .object({
    page: z.int(),
    box: Box.nullable(),
    caption: z.string().nullable(),
    headerRows: z.int(),
    rows: z.array(
      z.array(
        z.object({
          text: z.string(),
          box: Box.optional(),
          rowSpan: z.int().optional(),
          columnSpan: z.int().optional(),
        }),
      ),
    ),
  })
  .meta({ id: "DocumentTable" });
export type DocumentTable = z.infer<typeof DocumentTable>;
export const DocumentTableList = listOf(DocumentTable).meta({ id: "DocumentTableList" });
export type DocumentTableList = z.infer<typeof DocumentTableList>;

const OutlineEntry = z
  .object({
    level: z.int(),
    title: z.string(),
    page: z.int().nullable(),
    offset: z.int().describe("Where it stands in the markdown."),
  })
  .meta({ id: "OutlineEntry" });
export const DocumentMarkdown = z
  .object({
    markdown: z.string(),
    pages: z.array(z.object({ page: z.int(), offset: z.int() })).describe("Where each page begins in it."),
  })
  .meta({ id: "DocumentMarkdown" });

export const DocumentOutline = listOf(OutlineEntry).meta({ id: "DocumentOutline" });
export type DocumentOutline = z.infer<typeof DocumentOutline>;

export const PageWords = z
  .object({
    page: z.int(),
    width: z.number(),
    height: z.number(),
    source: z.enum(["text", "ocr", "model", "azure"]),
    words: z.array(
      z.object({
        text: z.string(),
        box: Box,
        fontSize: z.number().optional(),
        bold: z.boolean().optional(),
        italic: z.boolean().optional(),
        mono: z.boolean().optional(),
        confidence: z.number().optional(),
      }),
    ),
  })
  .meta({ id: "PageWords" });
export type PageWords = z.infer<typeof PageWords>;

/** A processing job in the words of its first users. */
export const ProcessingJob = z
  .object({
    id: z.uuid(),
    kind: z.string(),
    status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "FAILED", "CANCELLED"]),
    attempts: z.int(),
    max_attempts: z.int(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    heartbeat_at: timestamp.nullable(),
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
    error_log: z.array(
      z.object({
        attempt: z.int(),
        code: z.string(),
        message: z.string(),
        worker: z.uuid().nullable(),
        time: timestamp,
      }),
    ),
    processing_stage: z.string(),
    completed_stages: z.array(z.string()),
    stage_timestamps: z.record(z.string(), timestamp),
    total_items: z.int().nullable(),
    completed_items: z.int(),
    failed_items: z.int(),
  })
  .meta({ id: "ProcessingJob" });
export type ProcessingJob = z.infer<typeof ProcessingJob>;
export const ProcessingJobList = listOf(ProcessingJob).meta({ id: "ProcessingJobList" });

export const connectionTypes = ["semantic_similarity", "contradiction_detection", "thematic_bridge"] as const;

const ConnectionEnd = z
  .object({
    chunkId: z.uuid(),
    documentId: z.uuid(),
    documentTitle: z.string(),
    index: z.int(),
    page: z.int().nullable(),
    headingPath: z.array(z.string()),
    start: z.int().describe("Offset into the document's markdown."),
    end: z.int(),
    content: z.string(),
  })
  .meta({ id: "ConnectionEnd" });

export const Connection = z
  .object({
    id: z.uuid(),
    type: z.enum(connectionTypes),
    strength: z.number(),
    source: ConnectionEnd,
    target: ConnectionEnd,
    details: z.record(z.string(), z.unknown()),
    user_validated: z.boolean().nullable(),
    user_starred: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: "Connection" });
export type Connection = z.infer<typeof Connection>;
export const ConnectionList = listOf(Connection).meta({ id: "ConnectionList" });
export type ConnectionList = z.infer<typeof ConnectionList>;

export const ConnectionQuery = z.object({
  documentId: Id.optional().describe("Only those of this document."),
  type: z.enum(connectionTypes).optional().describe("Only those of this type."),
  starred: z.enum(["true", "false"]).optional().describe("Only those that a person has starred, or has not."),
  limit: Limit.default(50),
  cursor: Cursor.optional(),
});
export type ConnectionQuery = z.infer<typeof ConnectionQuery>;
export const DocumentConnectionQuery = ConnectionQuery.omit({ documentId: true });

export const ConnectionParams = z.object({ id: Id.describe("The connection's id.") });
export const ConnectionChange = z
  .strictObject({ user_validated: z.boolean().nullable().optional(), user_starred: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, { error: "Name user_validated, user_starred or both." })
  .meta({ id: "ConnectionChange", examples: [{ user_validated: true, user_starred: true }] });
export type ConnectionChange = z.infer<typeof ConnectionChange>;

export const SearchQuery = z.object({
  q: withoutNul
    .trim()
    .min(1)
    .max(1_000)
    .describe("What to look for; quotes keep words together, a minus leaves them out."),
  documentId: Id.optional().describe("Only in this document."),
  format: withoutNul.max(20).optional().describe("Only in documents of this format."),
  mode: z.enum(["hybrid", "text", "meaning"]).default("hybrid").describe("By words, by meaning, or by both."),
  limit: z.coerce.number<number>().int().min(1).max(100).default(10).describe("How many at most."),
  cursor: Cursor.optional(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchHit = z
  .object({
    chunkId: z.uuid(),
    document: z.object({ id: z.uuid(), filename: z.string(), title: z.string().nullable() }),
    snippet: z.string().describe("HTML-escaped, with <mark> around what was found."),
    page: z.int().nullable(),
    pageTo: z.int().nullable(),
    headingPath: z.array(z.string()),
    start: z.int(),
    end: z.int(),
    score: z.number().describe("By rank fusion: it orders this list and means nothing across lists."),
    matched: z.array(z.enum(["text", "meaning"])),
  })
  .meta({ id: "SearchHit" });
export type SearchHit = z.infer<typeof SearchHit>;
export const SearchAnswer = listOf(SearchHit)
  .extend({
    notice: z.string().optional().describe("What the answer lacks, and why: it was found by words alone."),
  })
  .meta({ id: "SearchAnswer" });
export type SearchAnswer = z.infer<typeof SearchAnswer>;
