/** `/admin/books`: books, their jobs and guidelines. Pages are in book-pages.ts. */
import { createRoute } from "@hono/zod-openapi";
import type { z } from "zod";
import {
  Book,
  BookDetail,
  BookJob,
  BookJobParams,
  BookList,
  BookParams,
  FinalizeRequest,
  GenerateRequest,
  Guidelines,
  JobListOfBook,
  LatestJobQuery,
  NewBook,
  StartedJob,
  Subtopic,
  SubtopicEdit,
  SubtopicParams,
} from "../../contract/books.ts";
import { requireStorable } from "../../db/storable.ts";
import type { Engine } from "../../jobs/engine.ts";
import type { Books } from "../../pipelines/books/books.ts";
import { editSubtopic, judgeSubtopic } from "../../pipelines/books/change-guidelines.ts";
import { readBookJob, readBookJobs, readLatestJob } from "../../pipelines/books/read-book-jobs.ts";
import { readBook, readBookList, readGuidelines, readPages, readSubtopic } from "../../pipelines/books/read-books.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusingBook } from "../routing.ts";

const json = <Schema extends z.ZodType>(schema: Schema, required = true) => ({
  required,
  content: { "application/json": { schema } },
});

const create = createRoute({
  method: "post",
  path: "/admin/books",
  summary: "Begin a book",
  middleware: limitBody,
  request: { body: json(NewBook) },
  responses: { 201: jsonAnswer(Book, "The book"), ...refusingBook(400, 413, 415, 422) },
});
const list = createRoute({
  method: "get",
  path: "/admin/books",
  summary: "Books, newest first",
  responses: { 200: jsonAnswer(BookList, "The books"), ...refusingBook() },
});
const show = createRoute({
  method: "get",
  path: "/admin/books/{id}",
  summary: "A book with its pages and latest jobs",
  request: { params: BookParams },
  responses: { 200: jsonAnswer(BookDetail, "The book"), ...refusingBook(404) },
});
const remove = createRoute({
  method: "delete",
  path: "/admin/books/{id}",
  summary: "Remove a book with everything that was made of it",
  request: { params: BookParams },
  responses: { 204: { description: "Removed" }, ...refusingBook(404, 409) },
});
const generate = createRoute({
  method: "post",
  path: "/admin/books/{id}/generate-guidelines",
  summary: "Extract guidelines from a book's pages",
  description: "With resume, only pages that have none yet; without, the pages of the range are read anew.",
  middleware: limitBody,
  request: { params: BookParams, body: json(GenerateRequest, false) },
  responses: { 200: jsonAnswer(StartedJob, "Started"), ...refusingBook(400, 404, 409, 413, 415, 422) },
});
const finalize = createRoute({
  method: "post",
  path: "/admin/books/{id}/finalize",
  summary: "Give guidelines their last names and merge those that are the same",
  middleware: limitBody,
  request: { params: BookParams, body: json(FinalizeRequest, false) },
  responses: { 200: jsonAnswer(StartedJob, "Started"), ...refusingBook(400, 404, 409, 413, 415, 422) },
});
const guidelines = createRoute({
  method: "get",
  path: "/admin/books/{id}/guidelines",
  summary: "Topics with their subtopics",
  request: { params: BookParams },
  responses: { 200: jsonAnswer(Guidelines, "The guidelines"), ...refusingBook(404) },
});
const subtopic = createRoute({
  method: "get",
  path: "/admin/books/{id}/guidelines/{subtopic_id}",
  summary: "One subtopic, by its id or key",
  request: { params: SubtopicParams },
  responses: { 200: jsonAnswer(Subtopic, "The subtopic"), ...refusingBook(404) },
});
const edit = createRoute({
  method: "put",
  path: "/admin/books/{id}/guidelines/{subtopic_id}",
  summary: "Correct a subtopic",
  middleware: limitBody,
  request: { params: SubtopicParams, body: json(SubtopicEdit) },
  responses: { 200: jsonAnswer(Subtopic, "The subtopic afterwards"), ...refusingBook(400, 404, 409, 413, 415, 422) },
});
const approve = createRoute({
  method: "post",
  path: "/admin/books/{id}/guidelines/{subtopic_id}/approve",
  summary: "Approve a subtopic",
  request: { params: SubtopicParams },
  responses: { 200: jsonAnswer(Subtopic, "The subtopic afterwards"), ...refusingBook(404, 409) },
});
const reject = createRoute({
  method: "post",
  path: "/admin/books/{id}/guidelines/{subtopic_id}/reject",
  summary: "Send a subtopic back for review",
  request: { params: SubtopicParams },
  responses: { 200: jsonAnswer(Subtopic, "The subtopic afterwards"), ...refusingBook(404, 409) },
});
const jobs = createRoute({
  method: "get",
  path: "/admin/books/{id}/jobs",
  summary: "A book's jobs, newest first",
  request: { params: BookParams },
  responses: { 200: jsonAnswer(JobListOfBook, "The jobs"), ...refusingBook(404) },
});
const latest = createRoute({
  method: "get",
  path: "/admin/books/{id}/jobs/latest",
  summary: "A book's latest job, or null",
  request: { params: BookParams, query: LatestJobQuery },
  responses: { 200: jsonAnswer(BookJob.nullable(), "The job"), ...refusingBook(400, 404) },
});
const job = createRoute({
  method: "get",
  path: "/admin/books/{id}/jobs/{job_id}",
  summary: "A job of a book",
  request: { params: BookJobParams },
  responses: { 200: jsonAnswer(BookJob, "The job"), ...refusingBook(404) },
});
const cancel = createRoute({
  method: "post",
  path: "/admin/books/{id}/jobs/{job_id}/cancel",
  summary: "Cancel a job of a book",
  request: { params: BookJobParams },
  responses: { 200: jsonAnswer(BookJob, "The job afterwards"), ...refusingBook(404, 409) },
});

export function bookRoutes(app: App, engine: Engine, { services, actions }: Books): void {
  const { db } = services;

  app.openapi(create, async (c) => {
    const book = c.req.valid("json");
    requireStorable(book, "The book");
    return c.json(await readBook(db, await actions.create(book)), 201);
  });
  app.openapi(list, async (c) => c.json({ books: await readBookList(db) }, 200));
  app.openapi(show, async (c) => {
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
  app.openapi(remove, async (c) => {
    await actions.delete(c.req.valid("param").id);
    return c.body(null, 204);
  });

  app.openapi(generate, async (c) => {
    // Without a body nothing is filled in by itself.
    const request = GenerateRequest.parse(c.req.valid("json") ?? {});
    return c.json(await actions.generate(c.req.valid("param").id, request), 200);
  });
  app.openapi(finalize, async (c) => {
    const { auto_sync_to_db: autoSync } = FinalizeRequest.parse(c.req.valid("json") ?? {});
    return c.json(await actions.finalize(c.req.valid("param").id, autoSync), 200);
  });

  app.openapi(guidelines, async (c) => c.json(await readGuidelines(db, c.req.valid("param").id), 200));
  app.openapi(subtopic, async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    return c.json(await readSubtopic(db, id, subtopic_id), 200);
  });
  app.openapi(edit, async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    const { id: subtopicId } = await readSubtopic(db, id, subtopic_id);
    const change = c.req.valid("json");
    requireStorable(change, "The subtopic");
    await editSubtopic(services, id, subtopicId, change);
    return c.json(await readSubtopic(db, id, subtopicId), 200);
  });
  app.openapi(approve, async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    await judgeSubtopic(services, id, subtopic_id, "approved");
    return c.json(await readSubtopic(db, id, subtopic_id), 200);
  });
  app.openapi(reject, async (c) => {
    const { id, subtopic_id } = c.req.valid("param");
    await judgeSubtopic(services, id, subtopic_id, "needs_review");
    return c.json(await readSubtopic(db, id, subtopic_id), 200);
  });

  app.openapi(jobs, async (c) => {
    const { id } = await readBook(db, c.req.valid("param").id);
    return c.json({ jobs: await readBookJobs(db, id) }, 200);
  });
  app.openapi(latest, async (c) => {
    const { id } = await readBook(db, c.req.valid("param").id);
    return c.json(await readLatestJob(db, id, c.req.valid("query").job_type), 200);
  });
  app.openapi(job, async (c) => {
    const { id, job_id } = c.req.valid("param");
    return c.json(await readBookJob(db, id, job_id), 200);
  });
  app.openapi(cancel, async (c) => {
    const { id, job_id } = c.req.valid("param");
    await readBookJob(db, id, job_id);
    await engine.cancelJob(job_id);
    return c.json(await readBookJob(db, id, job_id), 200);
  });
}
