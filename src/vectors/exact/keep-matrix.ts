/**
 * Keeps a model's matrix up with the table. `current` answers with a matrix that has everything committed before the
 * call; what was deleted since may still be in it, so that whoever answers from it looks whether it still exists. It
 * never holds much more than the table does.
 */
import type { Database } from "../../db/database.ts";
import type { Logger } from "../../logger.ts";
import { countVectors } from "../queries/count-vectors.ts";
import type { StoredModel } from "../queries/ensure-model.ts";
import { adoptForeign, listWritten, readSettled, type Written } from "../queries/list-written.ts";
import { readVectorPage, readVectorsOf, type StoredVector } from "../queries/read-vectors.ts";
import { readVector } from "../vector-bytes.ts";
import { VectorMatrix } from "./vector-matrix.ts";

export interface MatrixKeeper {
  current(): Promise<VectorMatrix>;
}

const pageRows = 1_000;
/** After so many new rows, and so large a share of all, the table is asked how many it has left. */
const fewRows = 1_024;
const largeShare = 0.25;

export function keepMatrix(options: { db: Database; logger: Logger; name: string; model: StoredModel }): MatrixKeeper {
  const { db, logger, name, model } = options;
  let matrix: VectorMatrix | undefined;
  /** Everything written by transactions before this one is in the matrix. */
  let seenBefore = "0";
  let putSinceCounted = 0;
  let running: Promise<VectorMatrix> | undefined;
  let next: Promise<VectorMatrix> | undefined;

  return {
    // One that is under way may have looked before the call's moment, so the call waits for the one after it, with all
    // others that came in the meantime.
    current() {
      if (!running) return start();
      next ??= running.then(startOrJoin, startOrJoin);
      return next;
    },
  };

  /** One that has begun in the meantime has looked late enough. */
  function startOrJoin(): Promise<VectorMatrix> {
    return running ?? start();
  }

  function start(): Promise<VectorMatrix> {
    next = undefined;
    running = (matrix ? catchUp(matrix) : load()).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function load(): Promise<VectorMatrix> {
    const loaded = new VectorMatrix(model.dimensions);
    // Before the first page: what is committed while the pages are read is then looked for the next time.
    const settled = await readSettled(db);
    let coming = readVectorPage(db, model.id, { after: undefined, limit: pageRows });
    for (;;) {
      const page = await coming;
      const isLast = page.length < pageRows;
      // The database reads the next one while this one is put in its place.
      if (!isLast) coming = readVectorPage(db, model.id, { after: page.at(-1)?.chunkId, limit: pageRows });
      put(loaded, page);
      if (isLast) break;
    }
    matrix = loaded;
    seenBefore = settled;
    putSinceCounted = 0;
    logger.info({ model: name, vectors: loaded.rows, megabytes: Math.round(loaded.bytes / 2 ** 20) }, "vectors loaded");
    return loaded;
  }

  async function catchUp(known: VectorMatrix): Promise<VectorMatrix> {
    const written = await listWritten(db, model.id, seenBefore);
    const news = written.vectors.filter((vector) => !known.has(vector)).map(({ chunkId }) => chunkId);
    for (let at = 0; at < news.length; at += pageRows) {
      put(known, await readVectorsOf(db, model.id, news.slice(at, at + pageRows)));
    }
    seenBefore = written.settledBefore;
    if (hasForeign(written)) await adopt();
    putSinceCounted += news.length;
    if (await hasManyGone(known)) return load();
    matrix = known.compacted();
    return matrix;
  }

  /** What is deleted stays until a search meets it. Where documents come and go, most of it is never met. */
  async function hasManyGone({ living }: VectorMatrix): Promise<boolean> {
    if (putSinceCounted < Math.max(fewRows, living * largeShare)) return false;
    putSinceCounted = 0;
    return (await countVectors(db, model.id)) < living * (1 - largeShare);
  }

  /** Only ever saves time: a database that refuses it is searched all the same. */
  async function adopt(): Promise<void> {
    await adoptForeign(db, model.id).catch((error) => {
      logger.warn({ err: error, model: name }, "vectors of a restored dump could not be renumbered");
    });
  }
}

function put(matrix: VectorMatrix, page: readonly StoredVector[]): void {
  for (const { vector, ...entry } of page) matrix.put(entry, readVector(vector));
}

function hasForeign({ vectors, firstUnused }: Written): boolean {
  return vectors.some(({ writtenBy }) => BigInt(writtenBy) >= BigInt(firstUnused));
}
