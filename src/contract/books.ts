/** Books on the wire: what `/admin/books` takes and gives. Names are in snake_case, as the application that uses them has them. */
import { z } from "zod";
import { FilePart } from "./operation.ts";
import { JobState } from "./states.ts";

const timestamp = z.iso.datetime();
const label = z.string().trim().max(200);

export const BookParams = z.object({ id: z.string().describe("The book's id.") });
export const PageParams = BookParams.extend({
  n: z.coerce
    .number<number>()
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ type: "integer", param: { required: true }, description: "The number of the page, from 1." }),
});
export const BookJobParams = BookParams.extend({ job_id: z.string().describe("The job's id.") });
export const SubtopicParams = BookParams.extend({ subtopic_id: z.string().describe("The subtopic's id or key.") });

export const PageForm = z.object({ image: FilePart.describe("The scan.") });
export const PagesForm = z.object({ images: z.array(FilePart).describe("The scans.") });

/** Every answer of these routes that is no success. */
export const BookError = z.object({ detail: z.string() }).meta({ id: "BookError" });

export const NewBook = z
  .object({
    title: label.min(1),
    author: label.nullish(),
    grade: z.union([label, z.number().transform(String)]).nullish(),
    subject: label.nullish(),
    board: label.nullish(),
  })
  .meta({ id: "NewBook", examples: [{ title: "Lamps and oils", grade: "4", subject: "Science" }] });
export type NewBook = z.output<typeof NewBook>;

export const bookJobTypes = ["ocr_batch", "extraction", "finalization"] as const;
export const BookJobType = z.enum(bookJobTypes).meta({ id: "BookJobType" });
export type BookJobType = z.infer<typeof BookJobType>;

export const BookJob = z
  .object({
    job_id: z.uuid(),
    book_id: z.uuid(),
    job_type: BookJobType,
    status: JobState,
    total_items: z.int().nullable(),
    completed_items: z.int(),
    failed_items: z.int(),
    current_item: z.int().nullable(),
    last_completed_item: z.int().nullable(),
    /** JSON in a string: {"page_errors": {"23": {"error", "error_type"}}, "stats": {…}}. */
    progress_detail: z.string().nullable(),
    heartbeat_at: timestamp.nullable(),
    started_at: timestamp,
    completed_at: timestamp.nullable(),
    /** Not null if and only if the job has failed. */
    error_message: z.string().nullable(),
  })
  .meta({ id: "BookJob" });
export type BookJob = z.infer<typeof BookJob>;

const ocrStates = ["pending", "processing", "completed", "failed"] as const;

export const BookPage = z
  .object({
    page_num: z.int(),
    filename: z.string(),
    raw_image_key: z.string(),
    image_key: z.string().nullable(),
    text_key: z.string().nullable(),
    status: z.enum(["pending_review", "approved"]),
    ocr_status: z.enum(ocrStates),
    ocr_error: z.string().nullable(),
    ocr_error_type: z.enum(["retryable", "terminal"]).nullable(),
    uploaded_at: timestamp,
    approved_at: timestamp.nullable(),
  })
  .meta({ id: "BookPage" });
export type BookPage = z.infer<typeof BookPage>;

export const Book = z
  .object({
    id: z.uuid(),
    title: z.string(),
    author: z.string().nullable(),
    grade: z.string().nullable(),
    subject: z.string().nullable(),
    board: z.string().nullable(),
    total_pages: z.int(),
    created_at: timestamp,
  })
  .meta({ id: "Book" });
export type Book = z.infer<typeof Book>;

export const BookDetail = Book.extend({
  pages: z.array(BookPage),
  /** The latest job of each type. */
  latest_jobs: z.object({
    ocr_batch: BookJob.nullable(),
    extraction: BookJob.nullable(),
    finalization: BookJob.nullable(),
  }),
}).meta({ id: "BookDetail" });
export type BookDetail = z.infer<typeof BookDetail>;

export const ListedBook = Book.extend({ latest_job: BookJob.nullable() }).meta({ id: "ListedBook" });
export type ListedBook = z.infer<typeof ListedBook>;
export const BookList = z.object({ books: z.array(ListedBook) }).meta({ id: "BookList" });
export const PageList = z.object({ pages: z.array(BookPage), total_pages: z.int() }).meta({ id: "PageList" });
export const JobListOfBook = z.object({ jobs: z.array(BookJob) }).meta({ id: "JobListOfBook" });
export const LatestJobQuery = z.object({ job_type: BookJobType.optional().describe("The latest of this type only.") });

export const PageWithText = BookPage.extend({ ocr_text: z.string().nullable() }).meta({ id: "PageWithText" });
export type PageWithText = z.infer<typeof PageWithText>;

export const BulkUploaded = z
  .object({
    job_id: z.uuid(),
    pages_uploaded: z.array(z.int()),
    total_pages: z.int(),
    status: z.literal("processing"),
    message: z.string(),
  })
  .meta({ id: "BulkUploaded" });
export type BulkUploaded = z.infer<typeof BulkUploaded>;

export const RetriedPage = z
  .object({
    page_num: z.int(),
    ocr_status: z.enum(ocrStates),
    ocr_text: z.string().nullable(),
    ocr_error: z.string().nullable(),
  })
  .meta({ id: "RetriedPage" });
export const PageTextRequest = z.object({ text: z.string().max(1_000_000) }).meta({ id: "PageTextRequest" });
export const PageTextAnswer = z.object({ page_num: z.int(), text: z.string() }).meta({ id: "PageTextAnswer" });
export const ApprovedPages = z
  .object({ approved: z.array(z.int()), total_pages: z.int() })
  .meta({ id: "ApprovedPages" });
export const DeletedPage = z.object({ deleted_page: z.int(), total_pages: z.int() }).meta({ id: "DeletedPage" });

export const GenerateRequest = z
  .object({
    start_page: z.int().nullish(),
    end_page: z.int().nullish(),
    resume: z.boolean().default(false),
    auto_sync_to_db: z.boolean().default(false),
  })
  .meta({ id: "GenerateRequest" });
export type GenerateRequest = z.output<typeof GenerateRequest>;

export const FinalizeRequest = z
  .object({ auto_sync_to_db: z.boolean().default(false) })
  .meta({ id: "FinalizeRequest" });

export const StartedJob = z
  .object({
    job_id: z.uuid().nullable(),
    status: z.enum(["started", "already_complete"]),
    start_page: z.int().nullable(),
    end_page: z.int().nullable(),
    total_pages: z.int(),
    message: z.string(),
  })
  .meta({ id: "StartedJob" });
export type StartedJob = z.infer<typeof StartedJob>;

const subtopicStates = ["open", "stable", "final", "needs_review", "approved"] as const;

export const Subtopic = z
  .object({
    id: z.uuid(),
    topic_key: z.string(),
    topic_title: z.string(),
    subtopic_key: z.string(),
    subtopic_title: z.string(),
    /** 15 to 30 words. */
    summary: z.string(),
    guidelines: z.string(),
    source_page_start: z.int().nullable(),
    source_page_end: z.int().nullable(),
    pages: z.array(z.int()),
    status: z.enum(subtopicStates),
    version: z.int(),
    confidence: z.number(),
    /** Who made it: a model, or rules that only quote the book. */
    provenance: z.enum(["model", "rules"]),
  })
  .meta({ id: "Subtopic" });
export type Subtopic = z.infer<typeof Subtopic>;

export const Guidelines = z
  .object({
    book_id: z.uuid(),
    total_subtopics: z.int(),
    topics: z.array(z.object({ topic_key: z.string(), topic_title: z.string(), subtopics: z.array(Subtopic) })),
  })
  .meta({ id: "Guidelines" });
export type Guidelines = z.infer<typeof Guidelines>;

export const SubtopicEdit = z
  .object({
    topic_title: label.min(1),
    subtopic_title: label.min(1),
    summary: z.string().trim().min(1).max(2_000),
    guidelines: z.string().trim().min(1).max(200_000),
  })
  .partial()
  .meta({ id: "SubtopicEdit" });
export type SubtopicEdit = z.output<typeof SubtopicEdit>;
