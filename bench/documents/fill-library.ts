/** A library as it is after years, over many documents, written straight into the database. The same in every run. */
import { createHash } from "node:crypto";
import type { Database } from "../../src/db/database.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import { openLocalEmbedder } from "../../src/providers/embeddings/local/open-local-embedder.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import type { ChunkVector } from "../../src/vectors/vector-store.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";

const chunksPerDocument = 100;
const rowsAtOnce = 500;

export interface Passage {
  content: string;
  vector: Float32Array;
}

export interface PassageSource {
  /** Begins another document; answers what makes its passages, one after the other. */
  openDocument(): () => Passage;
}

/** Fills the tables, if asked with one document besides whose connections can be looked for. */
export async function fillLibrary(
  db: Database,
  source: PassageSource,
  options: { chunks: number; ownChunks?: number },
): Promise<void> {
  const textIndex = await takeTextIndex(db);
  const writer = await openWriter(db, source);
  for (let first = 0; first < options.chunks; first += chunksPerDocument) {
    await writer.add(documentId(first / chunksPerDocument), Math.min(chunksPerDocument, options.chunks - first));
  }
  if (options.ownChunks !== undefined) await writer.add(ownDocumentId, options.ownChunks);
  await writer.end();
  await db.query(new Sql([textIndex], []));
  await db.query(sql`analyze`);
}

/** Drops the index of the text and answers how to make it again: made at the end it takes a tenth of the time. */
async function takeTextIndex(db: Database): Promise<string> {
  const [index] = await db.query<{ definition: string }>(
    sql`select pg_get_indexdef('chunks_search'::regclass) as definition`,
  );
  await db.query(sql`drop index chunks_search`);
  return (index as { definition: string }).definition;
}

/** The document whose connections are looked for. */
export const ownDocumentId = documentId(1_000_000);

function documentId(number: number): string {
  return derivedUuid(`document ${number}`);
}

function derivedUuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

interface NewChunk extends Passage {
  id: string;
  documentId: string;
  index: number;
}

async function openWriter(db: Database, source: PassageSource) {
  const { model } = openLocalEmbedder({ threads: 1 });
  const vectors = await openVectorStore({ db, logger, threads: 1 });
  let waiting: NewChunk[] = [];
  let writing: Promise<void> = Promise.resolve();

  const flush = async () => {
    const rows = waiting;
    waiting = [];
    // The database writes one lot while the next is made up.
    await writing;
    writing = db.transaction(async (tx) => {
      await tx.query(sql`
        insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, page_from,
          page_to, tokens, search)
        select r.id, r.document_id, r.index, r.content, md5(r.content), '{}', 0, length(r.content), r.index + 1, r.index + 1,
          400, to_tsvector('english', r.content)
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.documentId)}::uuid[],
          ${rows.map(({ index }) => index)}::integer[], ${rows.map(({ content }) => content)}::text[])
          as r (id, document_id, index, content)`);
      const saved = rows.map(
        ({ id, documentId: owner, vector }): ChunkVector => ({ chunkId: id, documentId: owner, vector }),
      );
      await vectors.save(tx, model, saved);
    });
  };

  return {
    async add(id: string, chunks: number): Promise<void> {
      // Before its passages, which may be under way in another transaction.
      await writing;
      await db.query(sql`
        insert into documents (id, filename, job_id, format, generation, chunk_count)
        values (${id}, ${`${id}.md`}, ${id}, 'markdown', 1, ${chunks})`);
      const makePassage = source.openDocument();
      for (let index = 0; index < chunks; index++) {
        waiting.push({ id: derivedUuid(`${id} ${index}`), documentId: id, index, ...makePassage() });
        if (waiting.length >= rowsAtOnce) await flush();
      }
    },
    async end(): Promise<void> {
      await flush();
      await writing;
      await vectors.close();
    },
  };
}
