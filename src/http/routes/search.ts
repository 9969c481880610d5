/** `/api/search` and `/api/connections`: what is found across documents. */
import { createRoute } from "@hono/zod-openapi";
import {
  Connection,
  ConnectionChange,
  ConnectionList,
  ConnectionParams,
  ConnectionQuery,
  DocumentConnectionQuery,
  DocumentParams,
  SearchAnswer,
  SearchQuery,
} from "../../contract/documents.ts";
import type { Engine } from "../../jobs/engine.ts";
import type { PaidCall } from "../../jobs/ledger.ts";
import { changeConnection, readConnections } from "../../pipelines/documents/connections/read-connections.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { findDocumentJob } from "../../pipelines/documents/queries/find-document-job.ts";
import { searchDocuments } from "../../pipelines/documents/search/search-documents.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";

const search = createRoute({
  method: "get",
  path: "/api/search",
  summary: "Passages by their words and by their meaning",
  request: { query: SearchQuery },
  responses: { 200: jsonAnswer(SearchAnswer, "The best first"), ...refusing(400, 404) },
});

const list = createRoute({
  method: "get",
  path: "/api/connections",
  summary: "Connections between passages, strongest first",
  request: { query: ConnectionQuery },
  responses: { 200: jsonAnswer(ConnectionList, "A page of connections"), ...refusing(400, 404) },
});

const ofDocument = createRoute({
  method: "get",
  path: "/api/documents/{id}/connections",
  summary: "Connections of a document's passages, strongest first",
  request: { params: DocumentParams, query: DocumentConnectionQuery },
  responses: { 200: jsonAnswer(ConnectionList, "A page of connections"), ...refusing(400, 404) },
});

const change = createRoute({
  method: "patch",
  path: "/api/connections/{id}",
  summary: "Say what you think of a connection",
  middleware: limitBody,
  request: {
    params: ConnectionParams,
    body: { required: true, content: { "application/json": { schema: ConnectionChange } } },
  },
  responses: { 200: jsonAnswer(Connection, "The connection afterwards"), ...refusing(400, 404, 413, 415, 422) },
});

export function searchRoutes(app: App, engine: Engine, { services }: Documents): void {
  const { db } = services;

  app.openapi(search, async (c) => {
    const { signal } = c.req.raw;
    const remember = <Answer>(call: PaidCall<Answer>) => engine.remember(call, signal);
    return c.json(await searchDocuments(services, c.req.valid("query"), { signal, remember }), 200);
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid("query");
    if (query.documentId !== undefined) await findDocumentJob(db, query.documentId);
    return c.json(await readConnections(db, query), 200);
  });
  app.openapi(ofDocument, async (c) => {
    const { id: documentId } = c.req.valid("param");
    await findDocumentJob(db, documentId);
    return c.json(await readConnections(db, { ...c.req.valid("query"), documentId }), 200);
  });
  app.openapi(change, async (c) =>
    c.json(await changeConnection(db, c.req.valid("param").id, c.req.valid("json")), 200),
  );
}
