/** `/admin/books/:id/pages`: bring scans in, look at pages, correct, replace, approve and remove them. */
import { BookParams, PageParams } from "../../contract/books.ts";
import { requireStorable } from "../../db/storable.ts";
import { DocmillError } from "../../errors.ts";
import { mediaTypes } from "../../formats/format.ts";
import type { Books } from "../../pipelines/books/books.ts";
import { findPage } from "../../pipelines/books/queries/list-pages.ts";
import { readBook, readPage, readPages } from "../../pipelines/books/read-books.ts";
import { readParams, routeOf, takeUpload } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { sendBlob } from "../send-blob.ts";
import { takeManyPages, takeOnePage, takeReplacement } from "../uploads/take-pages.ts";

export function bookPageRoutes(app: App, books: Books): void {
  const { services, actions, pages } = books;
  const { db, blobs } = services;

  takeUpload(app, "addBookPages", async (c) => {
    const { id } = readParams(c, BookParams);
    return c.json(await takeManyPages(c.env.incoming, books, id), 200);
  });
  takeUpload(app, "addBookPage", async (c) => {
    const { id } = readParams(c, BookParams);
    return c.json(await takeOnePage(c.env.incoming, books, id, c.req.raw.signal), 200);
  });
  takeUpload(app, "replaceBookPageImage", async (c) => {
    const { id, n } = readParams(c, PageParams);
    await findPage(db, (await readBook(db, id)).id, n);
    return c.json(await takeReplacement(c.env.incoming, books, id, n, c.req.raw.signal), 200);
  });

  app.openapi(routeOf("listBookPages"), async (c) => {
    const { id, total_pages } = await readBook(db, c.req.valid("param").id);
    return c.json({ pages: await readPages(db, id), total_pages }, 200);
  });
  app.openapi(routeOf("readBookPage"), async (c) => {
    const { id, n } = c.req.valid("param");
    return c.json(await readPage(services, id, n), 200);
  });
  app.openapi(routeOf("readBookPageImage"), async (c) => {
    const { id, n } = c.req.valid("param");
    const page = await findPage(db, (await readBook(db, id)).id, n);
    const key = page.imageKey ?? page.rawKey;
    const facts = await blobs.stat(key);
    if (!facts) throw new DocmillError("NOT_FOUND", `The image of page ${n} is missing from storage`);
    const contentType = page.imageKey === null ? mediaTypes[page.rawFormat] : "image/png";
    const etag = `${page.id}-${page.fileNum}-${facts.modifiedAt.getTime()}`;
    const filename = page.imageKey === null ? page.filename : page.filename.replace(/(\.[^.]*)?$/, ".png");
    return sendBlob(c, blobs, { key, size: facts.size, contentType, filename, etag });
  });
  app.openapi(routeOf("readBookPageText"), async (c) => {
    const { id, n } = c.req.valid("param");
    const { ocr_text: text } = await readPage(services, id, n);
    if (text === null) throw new DocmillError("NOT_FOUND", `Page ${n} has no text yet`);
    return c.json({ page_num: n, text }, 200);
  });
  app.openapi(routeOf("editBookPageText"), async (c) => {
    const { id, n } = c.req.valid("param");
    const { text } = c.req.valid("json");
    requireStorable(text, "The text");
    await pages.editText(id, n, text);
    return c.json(await readPage(services, id, n), 200);
  });
  app.openapi(routeOf("retryBookPage"), async (c) => {
    const { id, n } = c.req.valid("param");
    const { page_num, ocr_status, ocr_text, ocr_error } = await pages.retryOcr(id, n, c.req.raw.signal);
    return c.json({ page_num, ocr_status, ocr_text, ocr_error }, 200);
  });
  app.openapi(routeOf("retryFailedBookPages"), async (c) =>
    c.json(await actions.retryFailed(c.req.valid("param").id), 200),
  );
  app.openapi(routeOf("approveBookPage"), async (c) => {
    const { id, n } = c.req.valid("param");
    await pages.approve(id, n);
    const { ocr_text: _, ...page } = await readPage(services, id, n);
    return c.json(page, 200);
  });
  app.openapi(routeOf("approveBookPages"), async (c) => {
    const { id } = c.req.valid("param");
    const approved = await pages.approveAll(id);
    return c.json({ approved, total_pages: (await readBook(db, id)).total_pages }, 200);
  });
  app.openapi(routeOf("deleteBookPage"), async (c) => {
    const { id, n } = c.req.valid("param");
    return c.json({ deleted_page: n, total_pages: await pages.delete(id, n) }, 200);
  });
}
