/** What was made of a document: markdown, chunks, fields, tables, outline, words, page images, and the file itself. */
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
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { sendBlob } from "../send-blob.ts";

export function documentResultRoutes(app: App, { services }: Documents): void {
  const { db, blobs, embedder, reader } = services;

  app.openapi(routeOf("readDocumentMarkdown"), async (c) => {
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

  app.openapi(routeOf("listDocumentChunks"), async (c) =>
    c.json(await readChunks(db, c.req.valid("param").id, c.req.valid("query"), embedder.model), 200),
  );
  app.openapi(routeOf("listDocumentFields"), async (c) =>
    c.json(await readFields(db, c.req.valid("param").id, c.req.valid("query")), 200),
  );
  app.openapi(routeOf("listDocumentTables"), async (c) =>
    c.json(await readTables(db, c.req.valid("param").id, c.req.valid("query")), 200),
  );
  app.openapi(routeOf("readDocumentOutline"), async (c) => c.json(await readOutline(db, c.req.valid("param").id), 200));

  app.openapi(routeOf("readPageWords"), async (c) => {
    const { id, page } = c.req.valid("param");
    return c.json(await readPageWords(db, id, page), 200);
  });

  app.openapi(routeOf("readPageImage"), async (c) => {
    const { id, page } = c.req.valid("param");
    const { dpi } = c.req.valid("query");
    const { signal } = c.req.raw;
    const stored = await requireFile(id);
    if (!isPaged(stored.format)) throw new DocmillError("NOT_FOUND", "This document has no pages to be drawn.");
    const draw = (path: string) => reader.renderPng({ path, format: stored.format }, page, dpi, signal);
    const png = await blobs.withFile(stored.blobKey, draw, signal);
    return c.body(png, 200, { "content-type": "image/png" });
  });

  app.openapi(routeOf("readDocumentFile"), async (c) => {
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
