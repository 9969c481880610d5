/** `/api/documents`: bring documents in, list them, look at one, have it read again, retry, cancel and delete it. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import {
  DocumentDetail,
  DocumentList,
  DocumentParams,
  DocumentQuery,
  DocumentSummary,
  FromUrlRequest,
  ProcessingJobList,
  ReprocessRequest,
  UploadAnswer,
} from "../../contract/documents.ts";
import { requireStorable } from "../../db/storable.ts";
import { toFileName } from "../../download/file-name.ts";
import { DocmillError } from "../../errors.ts";
import type { Engine } from "../../jobs/engine.ts";
import { findJobSummary } from "../../jobs/read-jobs.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { readDocument, readDocumentList, readDocumentsById } from "../../pipelines/documents/read-documents.ts";
import { readProcessingJobs } from "../../pipelines/documents/read-processing-jobs.ts";
import { invalidRequest } from "../errors.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";
import { takeDocuments } from "../uploads/take-documents.ts";

const IdempotencyKey = z.object({
  "idempotency-key": z.string().min(1).max(200).optional().describe("The same key answers with the same documents."),
});

const upload = {
  method: "post",
  path: "/api/documents",
  summary: "Upload one document or many",
  description:
    "Answers at once; the work goes on in the background. One file is answered with its document, several with a list.",
  request: {
    headers: IdempotencyKey,
    body: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: z.object({
            file: z.array(z.string().meta({ format: "binary" })).describe("The file, or several."),
            title: z.string().optional(),
            options: z.string().optional().describe("How to process them, as JSON: {ocr, extraction}."),
          }),
        },
      },
    },
  },
  responses: { 200: jsonAnswer(UploadAnswer, "Taken"), ...refusing(400, 410, 413, 415, 422) },
} as const;

const fromUrl = createRoute({
  method: "post",
  path: "/api/documents/from-url",
  summary: "Fetch a document from a url",
  middleware: limitBody,
  request: {
    headers: IdempotencyKey,
    body: { required: true, content: { "application/json": { schema: FromUrlRequest } } },
  },
  responses: { 200: jsonAnswer(DocumentSummary, "Taken"), ...refusing(400, 410, 413, 415, 422) },
});

const list = createRoute({
  method: "get",
  path: "/api/documents",
  summary: "Documents",
  request: { query: DocumentQuery },
  responses: { 200: jsonAnswer(DocumentList, "A page of documents"), ...refusing(400) },
});

const show = createRoute({
  method: "get",
  path: "/api/documents/{id}",
  summary: "A document with its state, counts and job",
  request: { params: DocumentParams },
  responses: { 200: jsonAnswer(DocumentDetail, "The document"), ...refusing(400, 404) },
});

const jobs = createRoute({
  method: "get",
  path: "/api/documents/{id}/jobs",
  summary: "Every job that worked on a document, newest first",
  request: { params: DocumentParams },
  responses: { 200: jsonAnswer(ProcessingJobList, "Its jobs"), ...refusing(400, 404) },
});

const retry = createRoute({
  method: "post",
  path: "/api/documents/{id}/retry",
  summary: "Try a failed or cancelled document again, from its last checkpoint",
  request: { params: DocumentParams },
  responses: { 200: jsonAnswer(DocumentDetail, "The document afterwards"), ...refusing(400, 404, 409) },
});

const cancel = createRoute({
  method: "post",
  path: "/api/documents/{id}/cancel",
  summary: "Cancel the processing of a document",
  request: { params: DocumentParams },
  responses: { 200: jsonAnswer(DocumentDetail, "The document afterwards"), ...refusing(400, 404, 409) },
});

const reprocess = createRoute({
  method: "post",
  path: "/api/documents/{id}/reprocess",
  summary: "Read a document again from its file",
  description: "Its results stay until the new ones are there, and are swapped for them at once.",
  middleware: limitBody,
  request: {
    params: DocumentParams,
    headers: IdempotencyKey,
    body: { required: false, content: { "application/json": { schema: ReprocessRequest } } },
  },
  responses: { 200: jsonAnswer(DocumentDetail, "The document afterwards"), ...refusing(400, 404, 409, 413, 415, 422) },
});

const remove = createRoute({
  method: "delete",
  path: "/api/documents/{id}",
  summary: "Delete a document with everything that was made of it",
  request: { params: DocumentParams },
  responses: { 204: { description: "Deleted" }, ...refusing(400, 404) },
});

export function documentRoutes(app: App, engine: Engine, documents: Documents): void {
  const { services, actions } = documents;
  const { db, embedder } = services;

  const readOne = async (id: string): Promise<z.infer<typeof DocumentDetail>> => {
    await rescueBeforeReading(engine);
    const document = await readDocument(db, id, embedder.model);
    return { ...document, job: (await findJobSummary(engine, document.jobId)) ?? null };
  };
  const readTaken = async (ids: readonly string[]): Promise<DocumentSummary[]> => {
    const taken = await readDocumentsById(db, ids);
    if (taken.length > 0) return taken;
    // The key still leads to the job, and that to nothing.
    throw new DocmillError("DOCUMENT_DELETED", "What was taken has been deleted. Send it again under a new key.");
  };

  // Its body is read from the connection as it comes: the framework would gather it in memory first.
  app.openAPIRegistry.registerPath(upload);
  app.openAPIRegistry.registerPath({ ...upload, path: "/documents", summary: "The same, under a shorter path" });
  const take = async (c: Context) => {
    const headers = IdempotencyKey.safeParse({ "idempotency-key": c.req.header("idempotency-key") });
    if (!headers.success) throw invalidRequest("header", headers.error);
    const key = headers.data["idempotency-key"];
    const { ids } = await takeDocuments(c.env.incoming, documents, key);
    const taken = await readTaken(ids);
    return c.json((ids.length === 1 ? taken[0] : taken) as z.infer<typeof UploadAnswer>, 200);
  };
  app.post("/api/documents", take);
  app.post("/documents", take);

  app.openapi(fromUrl, async (c) => {
    const { url, title, options = {} } = c.req.valid("json");
    const key = c.req.valid("header")["idempotency-key"];
    requireStorable({ url, title }, "The request");
    const id = actions.chooseId(key, 0);
    const { ids } = await actions.create([{ id, filename: nameOf(url), title, options, url }], key);
    const [taken] = await readTaken(ids);
    return c.json(taken as DocumentSummary, 200);
  });

  app.openapi(list, async (c) => {
    await rescueBeforeReading(engine);
    return c.json(await readDocumentList(db, c.req.valid("query")), 200);
  });
  app.openapi(show, async (c) => c.json(await readOne(c.req.valid("param").id), 200));
  app.openapi(jobs, async (c) => {
    await rescueBeforeReading(engine);
    return c.json({ items: await readProcessingJobs(db, c.req.valid("param").id), nextCursor: null }, 200);
  });

  app.openapi(retry, async (c) => {
    const { id } = c.req.valid("param");
    await rescueBeforeReading(engine);
    await actions.retry(id);
    return c.json(await readOne(id), 200);
  });
  app.openapi(cancel, async (c) => {
    const { id } = c.req.valid("param");
    await actions.cancel(id);
    return c.json(await readOne(id), 200);
  });
  app.openapi(reprocess, async (c) => {
    const { id } = c.req.valid("param");
    await rescueBeforeReading(engine);
    await actions.reprocess(id, c.req.valid("json")?.options, c.req.valid("header")["idempotency-key"]);
    return c.json(await readOne(id), 200);
  });
  app.openapi(remove, async (c) => {
    await actions.delete(c.req.valid("param").id);
    return c.body(null, 204);
  });
}

/** What the document is called until it has been fetched. */
function nameOf(url: string): string {
  const address = new URL(url);
  return toFileName(undefined, address) ?? address.hostname;
}
