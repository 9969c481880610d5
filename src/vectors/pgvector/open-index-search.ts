/**
 * Search by the database where its index is complete, and otherwise, while it is being filled, exactly: the answers
 * are the same.
 */
import type { Database } from "../../db/database.ts";
import type { Logger } from "../../logger.ts";
import { checkDimensions } from "../check-dimensions.ts";
import type { ExactSearch } from "../exact/open-exact-search.ts";
import { findModel } from "../queries/ensure-model.ts";
import type { Pgvector } from "./detect-pgvector.ts";
import { describeIndex, ensureIndex, fillIndex, type IndexTable, isFilled } from "./index-table.ts";
import { searchIndex } from "./search-index.ts";

interface KnownModel {
  dimensions: number;
  /** Undefined when the vectors are too long for one. */
  index: IndexTable | undefined;
  ready: boolean;
  filling?: Promise<void>;
}

export function openIndexSearch(options: {
  db: Database;
  logger: Logger;
  pgvector: Pgvector;
  exact: ExactSearch;
}): ExactSearch {
  const { db, logger, pgvector, exact } = options;
  const models = new Map<string, KnownModel>();
  let closed = false;

  return {
    async find(vectors, query, signal) {
      const model = await knownModel(query.model);
      if (!model) return vectors.map(() => []);
      for (const vector of vectors) checkDimensions(query.model, model.dimensions, vector);
      if (!model.ready || !model.index) return exact.find(vectors, query, signal);
      return searchIndex(db, { index: model.index, pgvector }, vectors, query, signal);
    },
    async close() {
      closed = true;
      await Promise.all([...models.values()].map(({ filling }) => filling));
      await exact.close();
    },
  };

  async function knownModel(name: string): Promise<KnownModel | undefined> {
    const known = models.get(name);
    if (known) return known;
    const stored = await findModel(db, name);
    if (!stored) return undefined;
    const index = describeIndex(stored, pgvector);
    if (index) await db.transaction((tx) => ensureIndex(tx, index));
    const ready = index !== undefined && (await isFilled(db, index));
    const model: KnownModel = models.get(name) ?? { dimensions: stored.dimensions, index, ready };
    models.set(name, model);
    if (index && !model.ready) model.filling ??= fill(name, model, index);
    return model;
  }

  async function fill(name: string, model: KnownModel, index: IndexTable): Promise<void> {
    logger.info({ model: name }, "filling the vector index");
    try {
      let vectors = 0;
      for (;;) {
        if (closed) return;
        const added = await fillIndex(db, index);
        vectors += added;
        if (added === 0) break;
      }
      model.ready = true;
      logger.info({ model: name, vectors }, "the vector index is complete");
    } catch (error) {
      // The next search looks again.
      models.delete(name);
      logger.warn({ err: error, model: name }, "the vector index could not be filled");
    }
  }
}
