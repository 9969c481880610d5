/** Made-up documents and connections, of which a test names what it is about. */
import type { Connection, DocumentDetail } from "../../../../src/contract/documents.ts";

const time = "2026-03-01T10:00:00.000Z";

/** One that has been read. */
export function makeDocument(given: Partial<DocumentDetail> = {}): DocumentDetail {
  return {
    id: "document",
    filename: "mill.pdf",
    title: "The Mill",
    contentType: "application/pdf",
    format: "pdf",
    size: 120_000,
    sha256: "00",
    sourceUrl: null,
    status: "Ready",
    stage: "complete",
    progress: { totalItems: 3, completedItems: 3, failedItems: 0, message: null },
    jobId: "job",
    pageCount: 2,
    chunkCount: 2,
    fieldCount: 1,
    tableCount: 0,
    errorCode: null,
    errorMessage: null,
    createdAt: time,
    processedAt: time,
    author: null,
    language: "en",
    options: {},
    generation: 1,
    wordCount: 40,
    embeddedChunks: 2,
    embeddingModel: "small-model",
    connectionCount: 1,
    carriedConnections: null,
    job: null,
    ...given,
  };
}

/** One that is being read for the first time: four pages of ten. */
export function makeUnreadDocument(given: Partial<DocumentDetail> = {}): DocumentDetail {
  return makeDocument({
    title: null,
    status: "Processing",
    stage: "extracting",
    progress: { totalItems: 10, completedItems: 4, failedItems: 0, message: null },
    pageCount: 10,
    chunkCount: 0,
    fieldCount: 0,
    processedAt: null,
    generation: 0,
    wordCount: null,
    embeddedChunks: 0,
    connectionCount: 0,
    ...given,
  });
}

let made = 0;

export function makeConnection({ own, other }: { own: string; other: string }): Connection {
  const end = (documentId: string) => ({
    chunkId: `${documentId}-passage`,
    documentId,
    documentTitle: `Title of ${documentId}`,
    index: 0,
    page: 1,
    headingPath: ["Head"],
    start: 10,
    end: 40,
    content: `Words of ${documentId}.`,
  });
  return {
    id: `connection-${++made}`,
    type: "semantic_similarity",
    strength: 0.8,
    source: end(own),
    target: end(other),
    details: {},
    user_validated: null,
    user_starred: false,
    createdAt: time,
  };
}
