/** `/api/search` and `/api/connections`: what is found across documents. */
import type { Engine } from "../../jobs/engine.ts";
import type { PaidCall } from "../../jobs/ledger.ts";
import { changeConnection, readConnections } from "../../pipelines/documents/connections/read-connections.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { findDocumentJob } from "../../pipelines/documents/queries/find-document-job.ts";
import { searchDocuments } from "../../pipelines/documents/search/search-documents.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function searchRoutes(app: App, engine: Engine, { services }: Documents): void {
  const { db } = services;

  app.openapi(routeOf("searchDocuments"), async (c) => {
    const { signal } = c.req.raw;
    const remember = <Answer>(call: PaidCall<Answer>) => engine.remember(call, signal);
    return c.json(await searchDocuments(services, c.req.valid("query"), { signal, remember }), 200);
  });

  app.openapi(routeOf("listConnections"), async (c) => {
    const query = c.req.valid("query");
    if (query.documentId !== undefined) await findDocumentJob(db, query.documentId);
    return c.json(await readConnections(db, query), 200);
  });
  app.openapi(routeOf("listDocumentConnections"), async (c) => {
    const { id: documentId } = c.req.valid("param");
    await findDocumentJob(db, documentId);
    return c.json(await readConnections(db, { ...c.req.valid("query"), documentId }), 200);
  });
  app.openapi(routeOf("changeConnection"), async (c) =>
    c.json(await changeConnection(db, c.req.valid("param").id, c.req.valid("json")), 200),
  );
}
