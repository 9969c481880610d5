/** `/admin/books/:id/pages`: bring scans in, look at pages, correct, replace, approve and remove them. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import {
  ApprovedPages,
  BookPage,
  BookParams,
  BulkUploaded,
  DeletedPage,
  PageList,
  PageParams,
  PageTextAnswer,
  PageTextRequest,
  PageWithText,
  RetriedPage,
  StartedJob,
} from "../../contract/books.ts";
import { requireStorable } from "../../db/storable.ts";
import { DocmillError } from "../../errors.ts";
import { mediaTypes } from "../../formats/format.ts";
import type { Books } from "../../pipelines/books/books.ts";
import { findPage } from "../../pipelines/books/queries/list-pages.ts";
import { readBook, readPage, readPages } from "../../pipelines/books/read-books.ts";
import { invalidRequest } from "../errors.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusingBook } from "../routing.ts";
import { sendBlob } from "../send-blob.ts";
import { takeManyPages, takeOnePage, takeReplacement } from "../uploads/take-pages.ts";

const image = (description: string) => ({
  required: true,
  content: {
    "multipart/form-data": { schema: z.object({ image: z.string().meta({ format: "binary" }).describe(description) }) },
  },
});

const addOne = {
  method: "post",
  path: "/admin/books/{id}/pages",
  summary: "Add one page; its text is in the answer",
  request: { params: BookParams, body: image("The scan.") },
  responses: { 200: jsonAnswer(PageWithText, "The page"), ...refusingBook(400, 404, 409, 413, 415) },
} as const;
const addMany = {
  method: "post",
  path: "/admin/books/{id}/pages/bulk",
  summary: "Add many pages, in the natural order of their file names; a job reads them",
  request: {
    params: BookParams,
    body: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: z.object({ images: z.array(z.string().meta({ format: "binary" })).describe("The scans.") }),
        },
      },
    },
  },
  responses: { 200: jsonAnswer(BulkUploaded, "Taken"), ...refusingBook(400, 404, 409, 413, 415) },
} as const;
const replace = {
  method: "put",
  path: "/admin/books/{id}/pages/{n}/image",
  summary: "Replace a scan; its text is in the answer",
  request: { params: PageParams, body: image("The scan.") },
  responses: { 200: jsonAnswer(PageWithText, "The page"), ...refusingBook(400, 404, 409, 413, 415) },
} as const;

const list = createRoute({
  method: "get",
  path: "/admin/books/{id}/pages",
  summary: "A book's pages",
  request: { params: BookParams },
  responses: { 200: jsonAnswer(PageList, "The pages"), ...refusingBook(404) },
});
const show = createRoute({
  method: "get",
  path: "/admin/books/{id}/pages/{n}",
  summary: "A page with its text",
  request: { params: PageParams },
  responses: { 200: jsonAnswer(PageWithText, "The page"), ...refusingBook(400, 404) },
});
const showImage = createRoute({
  method: "get",
  path: "/admin/books/{id}/pages/{n}/image",
  summary: "A page as an image",
  request: { params: PageParams },
  responses: {
    200: {
      description: "PNG, or the scan as it came in while there is none",
      content: { "image/png": { schema: z.string() } },
    },
    ...refusingBook(400, 404),
  },
});
const showText = createRoute({
  method: "get",
  path: "/admin/books/{id}/pages/{n}/text",
  summary: "A page's text",
  request: { params: PageParams },
  responses: { 200: jsonAnswer(PageTextAnswer, "The text"), ...refusingBook(400, 404) },
});
const editText = createRoute({
  method: "put",
  path: "/admin/books/{id}/pages/{n}/text",
  summary: "Correct a page's text",
  middleware: limitBody,
  request: {
    params: PageParams,
    body: { required: true, content: { "application/json": { schema: PageTextRequest } } },
  },
  responses: { 200: jsonAnswer(PageWithText, "The page afterwards"), ...refusingBook(400, 404, 409, 413, 415, 422) },
});
const retryOcr = createRoute({
  method: "post",
  path: "/admin/books/{id}/pages/{n}/retry-ocr",
  summary: "Read one page again; the text is in the answer",
  request: { params: PageParams },
  responses: { 200: jsonAnswer(RetriedPage, "The page"), ...refusingBook(400, 404, 409) },
});
const retryFailed = createRoute({
  method: "post",
  path: "/admin/books/{id}/pages/retry-failed",
  summary: "Read all pages again that have no text, as a job",
  request: { params: BookParams },
  responses: { 200: jsonAnswer(StartedJob, "Started"), ...refusingBook(404, 409) },
});
const approve = createRoute({
  method: "put",
  path: "/admin/books/{id}/pages/{n}/approve",
  summary: "Approve a page",
  request: { params: PageParams },
  responses: { 200: jsonAnswer(BookPage, "The page afterwards"), ...refusingBook(400, 404, 409) },
});
const approveAll = createRoute({
  method: "post",
  path: "/admin/books/{id}/pages/approve-all",
  summary: "Approve every page whose text is there",
  request: { params: BookParams },
  responses: { 200: jsonAnswer(ApprovedPages, "Approved"), ...refusingBook(404, 409) },
});
const remove = createRoute({
  method: "delete",
  path: "/admin/books/{id}/pages/{n}",
  summary: "Remove a page; those behind it move up",
  request: { params: PageParams },
  responses: { 200: jsonAnswer(DeletedPage, "Removed"), ...refusingBook(400, 404, 409) },
});

export function bookPageRoutes(app: App, books: Books): void {
  const { services, actions, pages } = books;
  const { db, blobs } = services;

  // Bodies of uploads are read from the connection as they come: the framework would gather them in memory first.
  for (const route of [addOne, addMany, replace]) app.openAPIRegistry.registerPath(route);
  app.post("/admin/books/:id/pages/bulk", async (c: Context) =>
    c.json(await takeManyPages(c.env.incoming, books, c.req.param("id") ?? ""), 200),
  );
  app.post("/admin/books/:id/pages", async (c: Context) =>
    c.json(await takeOnePage(c.env.incoming, books, c.req.param("id") ?? "", c.req.raw.signal), 200),
  );
  app.put("/admin/books/:id/pages/:n/image", async (c: Context) => {
    const params = PageParams.safeParse(c.req.param());
    if (!params.success) throw invalidRequest("param", params.error);
    const { id, n } = params.data;
    await findPage(db, (await readBook(db, id)).id, n);
    return c.json(await takeReplacement(c.env.incoming, books, id, n, c.req.raw.signal), 200);
  });

  app.openapi(list, async (c) => {
    const { id, total_pages } = await readBook(db, c.req.valid("param").id);
    return c.json({ pages: await readPages(db, id), total_pages }, 200);
  });
  app.openapi(show, async (c) => {
    const { id, n } = c.req.valid("param");
    return c.json(await readPage(services, id, n), 200);
  });
  app.openapi(showImage, async (c) => {
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
  app.openapi(showText, async (c) => {
    const { id, n } = c.req.valid("param");
    const { ocr_text: text } = await readPage(services, id, n);
    if (text === null) throw new DocmillError("NOT_FOUND", `Page ${n} has no text yet`);
    return c.json({ page_num: n, text }, 200);
  });
  app.openapi(editText, async (c) => {
    const { id, n } = c.req.valid("param");
    const { text } = c.req.valid("json");
    requireStorable(text, "The text");
    await pages.editText(id, n, text);
    return c.json(await readPage(services, id, n), 200);
  });
  app.openapi(retryOcr, async (c) => {
    const { id, n } = c.req.valid("param");
    const { page_num, ocr_status, ocr_text, ocr_error } = await pages.retryOcr(id, n, c.req.raw.signal);
    return c.json({ page_num, ocr_status, ocr_text, ocr_error }, 200);
  });
  app.openapi(retryFailed, async (c) => c.json(await actions.retryFailed(c.req.valid("param").id), 200));
  app.openapi(approve, async (c) => {
    const { id, n } = c.req.valid("param");
    await pages.approve(id, n);
    const { ocr_text: _, ...page } = await readPage(services, id, n);
    return c.json(page, 200);
  });
  app.openapi(approveAll, async (c) => {
    const { id } = c.req.valid("param");
    const approved = await pages.approveAll(id);
    return c.json({ approved, total_pages: (await readBook(db, id)).total_pages }, 200);
  });
  app.openapi(remove, async (c) => {
    const { id, n } = c.req.valid("param");
    return c.json({ deleted_page: n, total_pages: await pages.delete(id, n) }, 200);
  });
}
