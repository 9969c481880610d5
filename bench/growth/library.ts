/**
 * A library that grows on demand, written straight into the database. Its passages are copies from a store of texts that
 * are written and broken into words once, so that a million of them take minutes; each has a vector of its own, near the
 * middle of its topic. The same in every run.
 */
import { createHash } from "node:crypto";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import { insertPastJobs } from "../../test/support/jobs-of-the-past.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { seededRandom } from "../documents/random.ts";
import { storeTexts } from "./text-store.ts";
import { openVectorWriter } from "./vector-writer.ts";

const seed = 30;
/** In one statement. */
const documentsAtOnce = 100;
const chunksAtOnce = 1_000;

export interface GrowingLibrary {
  /** Adds documents of so many passages each, until there are as many. */
  growTo(documents: number, chunksOfEach: number): Promise<void>;
  /** Adds one that does not count among them; answers its id. */
  addAnother(chunks: number): Promise<string>;
  close(): Promise<void>;
}

interface NewChunk {
  id: string;
  documentId: string;
  index: number;
  text: number;
}

export async function openGrowingLibrary(url: string): Promise<GrowingLibrary> {
  await migrate({ url, logger });
  const db = openDatabase({ url, logger });
  const store = await storeTexts(db);
  const vectors = await openVectorWriter(db);
  const random = seededRandom(seed);
  let documents = 0;
  let writing: Promise<unknown> = Promise.resolve();

  async function addDocuments(ids: readonly string[], chunks: number): Promise<void> {
    // Each lot has a millisecond of its own, which the ids of its jobs begin with.
    const at = Date.now() - 24 * 3_600_000 + documents;
    const jobIds = await insertPastJobs(
      db,
      ids.map(() => ({ createdAt: at, endedAt: at })),
    );
    await db.query(sql`
      insert into documents (id, filename, job_id, format, generation, chunk_count)
      select r.id, r.id || '.md', r.job_id, 'markdown', 1, ${chunks}
      from unnest(${ids}::uuid[], ${jobIds}::uuid[]) as r (id, job_id)`);
    const added = ids.flatMap((documentId) =>
      Array.from({ length: chunks }, (_, index): NewChunk => {
        const text = Math.floor(random.next() * store.texts);
        return { id: derivedUuid(`${documentId} ${index}`), documentId, index, text };
      }),
    );
    for (let from = 0; from < added.length; from += chunksAtOnce) await write(added.slice(from, from + chunksAtOnce));
    await writing;
  }

  /** Resolves when the lot before it is written: the database writes one while the next is made up. */
  async function write(chunks: readonly NewChunk[]): Promise<void> {
    const made = chunks.map(({ id, documentId, text }) => vectors.make(id, documentId, store.topicOf(text)));
    await writing;
    writing = db.transaction(async (tx) => {
      await tx.query(sql`
        insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, page_from,
          page_to, tokens, search)
        select r.id, r.document_id, r.index, t.content, t.hash, '{}', 0, length(t.content), 1, 1, 160, t.search
        from unnest(${chunks.map(({ id }) => id)}::uuid[], ${chunks.map(({ documentId }) => documentId)}::uuid[],
          ${chunks.map(({ index }) => index)}::integer[], ${chunks.map(({ text }) => text)}::integer[])
          as r (id, document_id, index, text)
        join ${store.table} t on t.number = r.text`);
      await vectors.save(tx, made);
    });
  }

  return {
    growTo: (wanted, chunksOfEach) =>
      withoutTextIndex(db, async () => {
        while (documents < wanted) {
          const count = Math.min(documentsAtOnce, wanted - documents);
          const ids = Array.from({ length: count }, (_, place) => derivedUuid(`document ${documents + place}`));
          await addDocuments(ids, chunksOfEach);
          documents += count;
        }
      }),
    async addAnother(chunks) {
      const id = derivedUuid("another document");
      await addDocuments([id], chunks);
      return id;
    },
    async close() {
      await vectors.close();
      await db.close();
    },
  };
}

/** The index of the text is made again at the end, which takes a tenth of the time that keeping it would. */
async function withoutTextIndex(db: Database, grow: () => Promise<void>): Promise<void> {
  const [index] = await db.query<{ definition: string }>(
    sql`select pg_get_indexdef('chunks_search'::regclass) as definition`,
  );
  await db.query(sql`drop index chunks_search`);
  await grow();
  await db.transaction(async (tx) => {
    await tx.query(sql`set local maintenance_work_mem = '1GB'`);
    await tx.query(new Sql([(index as { definition: string }).definition], []));
  });
  await db.query(sql`vacuum analyze`);
}

function derivedUuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
