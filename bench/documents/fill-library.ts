/**
 * A library as it is after years, written straight into the database: passages with text and vectors that cluster by
 * topic as real ones do, over many documents. The same in every run.
 */
import { createHash } from "node:crypto";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import { openLocalEmbedder } from "../../src/providers/embeddings/local/open-local-embedder.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import type { ChunkVector } from "../../src/vectors/vector-store.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { type Random, seededRandom } from "./random.ts";
import { openTextSource, type TextSource } from "./synthetic-text.ts";

const dimensions = 512;
const topics = 1_000;
const chunksPerDocument = 100;
/** About 400 tokens. */
const wordsPerChunk = 250;
const rowsAtOnce = 500;
const seed = 20;

export interface Library {
  text: TextSource;
  random: Random;
  topics: number;
}

/** The words and topics the library was written with, for asking it questions. */
export function describeLibrary(): Library {
  return { text: openTextSource(seededRandom(seed)), random: seededRandom(seed + 1), topics };
}

/** Makes the tables and fills them, with one document besides whose connections can be looked for. */
export async function fillLibrary(url: string, options: { chunks: number; ownChunks: number }): Promise<void> {
  await migrate({ url, logger });
  const db = openDatabase({ url, logger });
  const textIndex = await takeTextIndex(db);
  const writer = await openWriter(db);
  for (let first = 0; first < options.chunks; first += chunksPerDocument) {
    await writer.add(documentId(first / chunksPerDocument), Math.min(chunksPerDocument, options.chunks - first));
  }
  await writer.add(ownDocumentId, options.ownChunks);
  await writer.end();
  await db.query(new Sql([textIndex], []));
  await db.query(sql`analyze`);
  await db.close();
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

interface NewChunk {
  id: string;
  documentId: string;
  index: number;
  content: string;
  vector: Float32Array;
}

async function openWriter(db: Database) {
  const { text } = describeLibrary();
  const random = seededRandom(seed + 2);
  const centres = Array.from({ length: topics }, () => unit(Array.from({ length: dimensions }, () => random.normal())));
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
      const about = Array.from({ length: 5 }, () => Math.floor(random.next() * topics));
      for (let index = 0; index < chunks; index++) {
        const topic = about[index % about.length] as number;
        waiting.push({
          id: derivedUuid(`${id} ${index}`),
          documentId: id,
          index,
          content: text.write(random, topic, wordsPerChunk),
          vector: near(centres[topic] as Float32Array, random),
        });
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

/** Some passages are close to the middle of their topic and some are hardly about it. */
function near(centre: Float32Array, random: Random): Float32Array {
  const away = 0.2 + 1.2 * random.next();
  const scale = away / Math.sqrt(centre.length);
  return unit(Array.from(centre, (value) => value + scale * random.normal()));
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
