/** The operations of `/api/documents`: bringing documents in, looking at them, and what is done to one. */
import {
  DocumentDetail,
  DocumentForm,
  DocumentList,
  DocumentParams,
  DocumentQuery,
  DocumentSummary,
  FromUrlRequest,
  ProcessingJobList,
  ReprocessRequest,
  UploadAnswer,
} from "./documents.ts";
import { DocumentEventId, jobEventTypes } from "./events.ts";
import { JobDetail } from "./jobs.ts";
import { empty, events, idempotencyKey, json, type Operation, resumable } from "./operation.ts";

/** A key is followed by the place of the file in the request, and both must fit. */
const headers = idempotencyKey("documents", 200);

const upload = {
  method: "post",
  tag: "Documents",
  description:
    "Answers at once; the work goes on in the background. One file is answered with its document, several with a list.",
  headers,
  form: DocumentForm,
  answers: { 200: json(UploadAnswer, "Taken") },
  refuses: [400, 410, 413, 415, 422, 507],
} as const;

export const documentOperations = {
  uploadDocuments: { ...upload, path: "/api/documents", summary: "Upload one document or many" },
  uploadDocumentsShort: { ...upload, path: "/documents", summary: "The same, under a shorter path" },
  fetchDocument: {
    method: "post",
    path: "/api/documents/from-url",
    tag: "Documents",
    summary: "Fetch a document from a url",
    headers,
    json: FromUrlRequest,
    answers: { 200: json(DocumentSummary, "Taken") },
    refuses: [400, 410, 413, 415, 422],
  },
  listDocuments: {
    method: "get",
    path: "/api/documents",
    tag: "Documents",
    summary: "Documents",
    query: DocumentQuery,
    answers: { 200: json(DocumentList, "A page of documents") },
    refuses: [400],
  },
  readDocument: {
    method: "get",
    path: "/api/documents/{id}",
    tag: "Documents",
    summary: "A document with its state, counts and job",
    params: DocumentParams,
    answers: { 200: json(DocumentDetail, "The document") },
    refuses: [400, 404],
  },
  listDocumentJobs: {
    method: "get",
    path: "/api/documents/{id}/jobs",
    tag: "Documents",
    summary: "Every job that worked on a document, newest first",
    params: DocumentParams,
    answers: { 200: json(ProcessingJobList, "Its jobs") },
    refuses: [400, 404],
  },
  watchDocument: {
    method: "get",
    path: "/api/documents/{id}/stream",
    tag: "Documents",
    summary: "The events of a document's processing as server-sent events",
    description:
      "Of the job that processes it now, or did so last. A reprocess begins a stream of its own, whose ids name its job " +
      "too: a client that comes back with the id of an earlier stream gets a state_sync.",
    params: DocumentParams,
    ...resumable(DocumentEventId),
    answers: {
      200: events(JobDetail, jobEventTypes, "The stream"),
      204: empty("The job has ended, and nothing came after this event"),
    },
    refuses: [400, 404],
  },
  retryDocument: {
    method: "post",
    path: "/api/documents/{id}/retry",
    tag: "Documents",
    summary: "Try a failed or cancelled document again, from its last checkpoint",
    params: DocumentParams,
    answers: { 200: json(DocumentDetail, "The document afterwards") },
    refuses: [400, 404, 409],
  },
  cancelDocument: {
    method: "post",
    path: "/api/documents/{id}/cancel",
    tag: "Documents",
    summary: "Cancel the processing of a document",
    params: DocumentParams,
    answers: { 200: json(DocumentDetail, "The document afterwards") },
    refuses: [400, 404, 409],
  },
  reprocessDocument: {
    method: "post",
    path: "/api/documents/{id}/reprocess",
    tag: "Documents",
    summary: "Read a document again from its file",
    description: "Its results stay until the new ones are there, and are swapped for them at once.",
    params: DocumentParams,
    headers,
    json: ReprocessRequest,
    jsonOptional: true,
    answers: { 200: json(DocumentDetail, "The document afterwards") },
    refuses: [400, 404, 409, 413, 415, 422],
  },
  deleteDocument: {
    method: "delete",
    path: "/api/documents/{id}",
    tag: "Documents",
    summary: "Delete a document with everything that was made of it",
    params: DocumentParams,
    answers: { 204: empty("Deleted") },
    refuses: [400, 404],
  },
} as const satisfies Record<string, Operation>;
