/** `/admin/books`: books, their jobs and guidelines. Pages are in book-pages.ts. */
import { FinalizeRequest, GenerateRequest } from "../../contract/books.ts";
import { requireStorable } from "../../db/storable.ts";
import type { Engine } from "../../jobs/engine.ts";
import type { Books } from "../../pipelines/books/books.ts";
import { editSubtopic, judgeSubtopic } from "../../pipelines/books/change-guidelines.ts";
import { readBookJob, readBookJobs, readLatestJob } from "../../pipelines/books/read-book-jobs.ts";
import { readBook, readBookList, readGuidelines, readPages, readSubtopic } from "../../pipelines/books/read-books.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function bookRoutes(app: App, engine: Engine, { services, actions }: Books): void {
  const { db } = services;

  app.openapi(routeOf("createBook"), async (c) => {
    const book = c.req.valid("json");
    requireStorable(book, "The book");
    return c.json(await readBook(db, await actions.create(book)), 201);
  });
  app.openapi(routeOf("listBooks"), async (c) => c.json({ books: await readBookList(db) }, 200));
  app.openapi(routeOf("readBook"), async (c) => {
    const { id } = c.req.valid("param");
    const book = await readBook(db, id);
    const [ocr_batch, extraction, finalization] = await Promise.all([
      readLatestJob(db, id, "ocr_batch"),
      readLatestJob(db, id, "extraction"),
      readLatestJob(db, id, "finalization"),
    ]);
    const latest_jobs = { ocr_batch, extraction, finalization };
    return c.json({ ...book, pages: await readPages(db, id), latest_jobs }, 200);
  });
  app.openapi(routeOf("deleteBook"), async (c) => {
    await actions.delete(c.req.valid("param").id);
    return c.body(null, 204);
  });

  app.openapi(routeOf("generateGuidelines"), async (c) => {
    // Without a body nothing is filled in by itself.
    const request = GenerateRequest.parse(c.req.valid("json") ?? {});
    return c.json(await actions.generate(c.req.valid("param").id, request), 200);
  });
  app.openapi(routeOf("finalizeBook"), async (c) => {
    const { auto_sync_to_db: autoSync } = FinalizeRequest.parse(c.req.valid("json") ?? {});
    return c.json(await actions.finalize(c.req.valid("param").id, autoSync), 200);
  });

  app.openapi(routeOf("readGuidelines"), async (c) => c.json(await readGuidelines(db, c.req.valid("param").id), 200));
  app.openapi(routeOf("readSubtopic"), async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    return c.json(await readSubtopic(db, id, subtopic_id), 200);
  });
  app.openapi(routeOf("editSubtopic"), async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    const { id: subtopicId } = await readSubtopic(db, id, subtopic_id);
    const change = c.req.valid("json");
    requireStorable(change, "The subtopic");
    await editSubtopic(services, id, subtopicId, change);
    return c.json(await readSubtopic(db, id, subtopicId), 200);
  });
  app.openapi(routeOf("approveSubtopic"), async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    await judgeSubtopic(services, id, subtopic_id, "approved");
    return c.json(await readSubtopic(db, id, subtopic_id), 200);
  });
  app.openapi(routeOf("rejectSubtopic"), async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    await judgeSubtopic(services, id, subtopic_id, "needs_review");
    return c.json(await readSubtopic(db, id, subtopic_id), 200);
  });

  app.openapi(routeOf("listBookJobs"), async (c) => {
    const { id } = await readBook(db, c.req.valid("param").id);
    return c.json({ jobs: await readBookJobs(db, id) }, 200);
  });
  app.openapi(routeOf("readLatestBookJob"), async (c) => {
    const { id } = await readBook(db, c.req.valid("param").id);
    return c.json(await readLatestJob(db, id, c.req.valid("query").job_type), 200);
  });
  app.openapi(routeOf("readBookJob"), async (c) => {
    const { id, job_id } = c.req.valid("param");
    return c.json(await readBookJob(db, id, job_id), 200);
  });
  app.openapi(routeOf("cancelBookJob"), async (c) => {
    const { id, job_id } = c.req.valid("param");
    await readBookJob(db, id, job_id);
    await engine.cancelJob(job_id);
    return c.json(await readBookJob(db, id, job_id), 200);
  });
}
