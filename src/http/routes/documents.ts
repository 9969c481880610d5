/** `/api/documents`: bring documents in, list them, look at one, have it read again, retry, cancel and delete it. */
import type { z } from "zod";
import type { DocumentDetail, DocumentSummary, UploadAnswer } from "../../contract/documents.ts";
import { operations } from "../../contract/operations.ts";
import { requireStorable } from "../../db/storable.ts";
import { toFileName } from "../../download/file-name.ts";
import { DocmillError } from "../../errors.ts";
import type { Engine } from "../../jobs/engine.ts";
import { findJobSummary } from "../../jobs/read-jobs.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { readDocument, readDocumentList, readDocumentsById } from "../../pipelines/documents/read-documents.ts";
import { readProcessingJobs } from "../../pipelines/documents/read-processing-jobs.ts";
import { readHeaders, routeOf, takeUpload } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { takeDocuments } from "../uploads/take-documents.ts";

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

  for (const id of ["uploadDocuments", "uploadDocumentsShort"] as const) {
    takeUpload(app, id, async (c) => {
      const { "idempotency-key": key } = readHeaders(c, operations[id].headers);
      const { ids } = await takeDocuments(c.env.incoming, documents, key);
      const taken = await readTaken(ids);
      return c.json((ids.length === 1 ? taken[0] : taken) as z.infer<typeof UploadAnswer>, 200);
    });
  }

  app.openapi(routeOf("fetchDocument"), async (c) => {
    const { url, title, options = {} } = c.req.valid("json");
    const key = c.req.valid("header")["idempotency-key"];
    requireStorable({ url, title }, "The request");
    const id = actions.chooseId(key, 0);
    const { ids } = await actions.create([{ id, filename: nameOf(url), title, options, url }], key);
    const [taken] = await readTaken(ids);
    return c.json(taken as DocumentSummary, 200);
  });

  app.openapi(routeOf("listDocuments"), async (c) => {
    await rescueBeforeReading(engine);
    return c.json(await readDocumentList(db, c.req.valid("query")), 200);
  });
  app.openapi(routeOf("readDocument"), async (c) => c.json(await readOne(c.req.valid("param").id), 200));
  app.openapi(routeOf("listDocumentJobs"), async (c) => {
    await rescueBeforeReading(engine);
    return c.json({ items: await readProcessingJobs(db, c.req.valid("param").id), nextCursor: null }, 200);
  });

  app.openapi(routeOf("retryDocument"), async (c) => {
    const { id } = c.req.valid("param");
    await rescueBeforeReading(engine);
    await actions.retry(id);
    return c.json(await readOne(id), 200);
  });
  app.openapi(routeOf("cancelDocument"), async (c) => {
    const { id } = c.req.valid("param");
    await actions.cancel(id);
    return c.json(await readOne(id), 200);
  });
  app.openapi(routeOf("reprocessDocument"), async (c) => {
    const { id } = c.req.valid("param");
    await rescueBeforeReading(engine);
    await actions.reprocess(id, c.req.valid("json")?.options, c.req.valid("header")["idempotency-key"]);
    return c.json(await readOne(id), 200);
  });
  app.openapi(routeOf("deleteDocument"), async (c) => {
    await actions.delete(c.req.valid("param").id);
    return c.body(null, 204);
  });
}

/** What the document is called until it has been fetched. */
function nameOf(url: string): string {
  const address = new URL(url);
  return toFileName(undefined, address) ?? address.hostname;
}
