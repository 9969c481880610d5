/**
 * The table that pgvector searches, one for each model: narrow, with an HNSW index, derived from chunk_vectors and
 * written in the same transactions. Its rows go with those they were made from. A model that had vectors before pgvector
 * came gets them filled in.
 */
import type { Database, Queryable, Transaction } from "../../db/database.ts";
import { Sql, sql } from "../../db/sql.ts";
import type { StoredModel } from "../queries/ensure-model.ts";
import { readVector } from "../vector-bytes.ts";
import type { ChunkVector } from "../vector-store.ts";
import type { Pgvector } from "./detect-pgvector.ts";

/** "vec" in ASCII; the model's number is the other half of the key. */
const lockClass = 0x76_65_63;
const mostForVector = 2_000;
const mostForHalfVector = 4_000;
const fillRows = 200;
/**
 * Passages come document by document and crowd together, and with pgvector's defaults (16, 64) parts of the graph cannot be
 * reached from the rest: of 72 questions in 100,000 passages 5 found none of their ten nearest, 1 with these.
 */
const graph = fragment("m = 32, ef_construction = 200");

export interface IndexTable {
  modelId: number;
  name: Sql;
  /** `vector(512)` */
  type: Sql;
  operators: Sql;
}

/** Undefined when the vectors are too long for an index. */
export function describeIndex({ id, dimensions }: StoredModel, { halfVectors }: Pgvector): IndexTable | undefined {
  const type = dimensions <= mostForVector ? "vector" : "halfvec";
  if (type === "halfvec" && (!halfVectors || dimensions > mostForHalfVector)) return undefined;
  return {
    modelId: id,
    // Names and numbers come from the program, never from data.
    name: fragment(`vector_index_${id}`),
    type: fragment(`${type}(${dimensions})`),
    operators: fragment(`${type}_ip_ops`),
  };
}

async function indexExists(db: Queryable, { modelId }: IndexTable): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(sql`
    select to_regclass(${`vector_index_${modelId}`}) is not null as exists`);
  return row?.exists === true;
}

/** Before anything is written to chunk_vectors: making the reference to it waits for those who do. */
export async function ensureIndex(tx: Transaction, index: IndexTable): Promise<void> {
  if (await indexExists(tx, index)) return;
  await tx.query(sql`select pg_advisory_xact_lock(${lockClass}::integer, ${index.modelId}::integer)`);
  if (await indexExists(tx, index)) return;
  const model = fragment(String(index.modelId));
  await tx.query(sql`
    create table ${index.name} (
      chunk_id     uuid primary key,
      model_id     smallint not null default ${model} check (model_id = ${model}),
      document_id  uuid not null,
      embedding    ${index.type} not null,
      foreign key (model_id, chunk_id) references chunk_vectors (model_id, chunk_id) on delete cascade
    )`);
  // 2 kB a row stay in the row: fetched from beside the table, one scan took 50 times as long.
  await tx.query(sql`alter table ${index.name} alter column embedding set storage external`);
  await tx.query(sql`alter table ${index.name} set (toast_tuple_target = 8160)`);
  await tx.query(sql`create index on ${index.name} using hnsw (embedding ${index.operators}) with (${graph})`);
  await tx.query(sql`create index on ${index.name} (document_id)`);
}

export async function writeIndex(tx: Transaction, index: IndexTable, vectors: readonly ChunkVector[]): Promise<void> {
  await insert(
    tx,
    index,
    vectors,
    sql`do update set document_id = excluded.document_id, embedding = excluded.embedding`,
  );
}

/** Whether every vector of the model is in the index. */
export async function isFilled(db: Queryable, index: IndexTable): Promise<boolean> {
  const [row] = await db.query<{ missing: boolean }>(sql`
    select exists (select from chunk_vectors v where ${missing(index)}) as missing`);
  return row?.missing === false;
}

/** Fills in some of what is missing; answers how many that were. */
export function fillIndex(db: Database, index: IndexTable): Promise<number> {
  return db.transaction(async (tx) => {
    // One process at a time, for the others would do the same rows.
    await tx.query(sql`select pg_advisory_xact_lock(${lockClass}::integer, ${index.modelId}::integer)`);
    // Held until the commit, so that none of them is replaced or deleted between the two statements.
    const rows = await tx.query<Omit<ChunkVector, "vector"> & { vector: string }>(sql`
      select v.chunk_id, v.document_id, encode(v.vector, 'base64') as vector from chunk_vectors v
      where ${missing(index)} limit ${fillRows} for share of v`);
    const vectors = rows.map(({ vector, ...ids }) => ({ ...ids, vector: readVector(vector) }));
    if (vectors.length > 0) await insert(tx, index, vectors, sql`do nothing`);
    return vectors.length;
  });
}

function missing({ name, modelId }: IndexTable): Sql {
  return sql`v.model_id = ${modelId} and not exists (select from ${name} i where i.chunk_id = v.chunk_id)`;
}

async function insert(
  tx: Transaction,
  { name, type }: IndexTable,
  vectors: readonly ChunkVector[],
  whenThere: Sql,
): Promise<void> {
  await tx.query(sql`
    insert into ${name} (chunk_id, document_id, embedding)
    select r.chunk_id, r.document_id, r.embedding::${type}
    from unnest(${vectors.map(({ chunkId }) => chunkId)}::uuid[], ${vectors.map(({ documentId }) => documentId)}::uuid[],
                ${vectors.map(({ vector }) => writeVector(vector))}::text[]) as r (chunk_id, document_id, embedding)
    on conflict (chunk_id) ${whenThere}`);
}

/** A vector as pgvector reads it. */
export function writeVector(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

function fragment(text: string): Sql {
  return new Sql([text], []);
}
