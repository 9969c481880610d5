/** What was made of a document: markdown, chunks, fields, tables, outline, words, page images, and the file itself. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import {
  DocumentChunkList,
  DocumentFieldList,
  DocumentOutline,
  DocumentPageParams,
  DocumentParams,
  DocumentTableList,
  PageQuery,
  PageWords,
} from "../../contract/documents.ts";
import { DocmillError } from "../../errors.ts";
import { isPaged } from "../../formats/format.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { findDocumentJob } from "../../pipelines/documents/queries/find-document-job.ts";
import { findFile } from "../../pipelines/documents/queries/find-file.ts";
import {
  findMarkdown,
  readChunks,
  readFields,
  readOutline,
  readPageWords,
  readTables,
} from "../../pipelines/documents/read-results.ts";
import { loadMarkdown } from "../../pipelines/documents/stages/save-markdown.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";
import { sendBlob } from "../send-blob.ts";

const binary = z.string().meta({ format: "binary" });

const MarkdownAnswer = z.object({
  markdown: z.string(),
  pages: z.array(z.object({ page: z.int(), offset: z.int() })).describe("Where each page begins in it."),
});

const markdown = createRoute({
  method: "get",
  path: "/api/documents/{id}/markdown",
  summary: "The document as markdown; as JSON, with where its pages begin, if that is what is accepted",
  request: { params: DocumentParams },
  responses: {
    200: {
      description: "The text",
      content: { "text/markdown": { schema: z.string() }, "application/json": { schema: MarkdownAnswer } },
    },
    ...refusing(400, 404, 409),
  },
});

const chunks = createRoute({
  method: "get",
  path: "/api/documents/{id}/chunks",
  summary: "The passages of a document, in order",
  request: { params: DocumentParams, query: PageQuery },
  responses: { 200: jsonAnswer(DocumentChunkList, "A page of passages"), ...refusing(400, 404) },
});

const fields = createRoute({
  method: "get",
  path: "/api/documents/{id}/fields",
  summary: "Labels with their values, with page, box and confidence",
  request: { params: DocumentParams, query: PageQuery },
  responses: { 200: jsonAnswer(DocumentFieldList, "A page of fields"), ...refusing(400, 404) },
});

const tables = createRoute({
  method: "get",
  path: "/api/documents/{id}/tables",
  summary: "The tables of a document",
  request: { params: DocumentParams, query: PageQuery },
  responses: { 200: jsonAnswer(DocumentTableList, "A page of tables"), ...refusing(400, 404) },
});

const outline = createRoute({
  method: "get",
  path: "/api/documents/{id}/outline",
  summary: "The headings of a document, with where they stand",
  request: { params: DocumentParams },
  responses: { 200: jsonAnswer(DocumentOutline, "All headings"), ...refusing(400, 404) },
});

const words = createRoute({
  method: "get",
  path: "/api/documents/{id}/pages/{page}/words",
  summary: "The words of a page with their boxes",
  request: { params: DocumentPageParams },
  responses: { 200: jsonAnswer(PageWords, "The page"), ...refusing(400, 404) },
});

const image = createRoute({
  method: "get",
  path: "/api/documents/{id}/pages/{page}/image",
  summary: "A page as a picture, drawn when asked for",
  request: {
    params: DocumentPageParams,
    query: z.object({ dpi: z.coerce.number().int().min(18).max(400).default(110) }),
  },
  responses: {
    200: { description: "The page", content: { "image/png": { schema: binary } } },
    ...refusing(400, 404, 409, 422),
  },
});

const file = createRoute({
  method: "get",
  path: "/api/documents/{id}/file",
  summary: "The file as it came, whole or in part",
  request: { params: DocumentParams },
  responses: {
    200: { description: "The file", content: { "application/octet-stream": { schema: binary } } },
    206: { description: "A range of it", content: { "application/octet-stream": { schema: binary } } },
    ...refusing(400, 404, 409, 416),
  },
});

export function documentResultRoutes(app: App, { services }: Documents): void {
  const { db, blobs, embedder, reader } = services;

  app.openapi(markdown, async (c) => {
    const { key, sha256 } = await findMarkdown(db, c.req.valid("param").id);
    if (c.req.header("accept")?.includes("application/json")) {
      const { markdown: text, pages } = await loadMarkdown(blobs, key);
      return c.json({ markdown: text, pages }, 200);
    }
    const stored = await blobs.stat(key);
    const type = "text/markdown; charset=utf-8";
    // What is sent as it is stored has no form the framework could check.
    return sendBlob(c, blobs, {
      key,
      size: stored?.size ?? 0,
      contentType: type,
      filename: "content.md",
      etag: sha256,
    }) as never;
  });

  app.openapi(chunks, async (c) =>
    c.json(await readChunks(db, c.req.valid("param").id, c.req.valid("query"), embedder.model), 200),
  );
  app.openapi(fields, async (c) => c.json(await readFields(db, c.req.valid("param").id, c.req.valid("query")), 200));
  app.openapi(tables, async (c) => c.json(await readTables(db, c.req.valid("param").id, c.req.valid("query")), 200));
  app.openapi(outline, async (c) => c.json(await readOutline(db, c.req.valid("param").id), 200));

  app.openapi(words, async (c) => {
    const { id, page } = c.req.valid("param");
    return c.json(await readPageWords(db, id, page), 200);
  });

  app.openapi(image, async (c) => {
    const { id, page } = c.req.valid("param");
    const { dpi } = c.req.valid("query");
    const { signal } = c.req.raw;
    const stored = await requireFile(id);
    if (!isPaged(stored.format)) throw new DocmillError("NOT_FOUND", "This document has no pages to be drawn.");
    const draw = (path: string) => reader.renderPng({ path, format: stored.format }, page, dpi, signal);
    const png = await blobs.withFile(stored.blobKey, draw, signal);
    return c.body(png, 200, { "content-type": "image/png" });
  });

  app.openapi(file, async (c) => {
    const { blobKey, size, contentType, filename, sha256 } = await requireFile(c.req.valid("param").id);
    return sendBlob(c, blobs, { key: blobKey, size, contentType, filename, etag: sha256 }) as never;
  });

  async function requireFile(id: string) {
    return findFile(db, id).catch(async (error: unknown) => {
      if (!(error instanceof DocmillError && error.code === "DOCUMENT_DELETED")) throw error;
      await findDocumentJob(db, id);
      throw new DocmillError(
        "NOT_READY",
        "The file has not been fetched. Watch the document's stream until it is Ready.",
      );
    });
  }
}
