/** Where pgvector can be measured: on the bench's server with all of Docmill around it, or in PGlite. */
import type { SearchAnswer } from "../../src/contract/documents.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import { openPgliteDatabase } from "../../test/support/pglite-database.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import type { Bench } from "../harness/bench.ts";
import { startDocmill } from "../harness/docmill-server.ts";

export interface Question {
  text: string;
  vector: Float32Array;
}

export interface PgvectorPlace {
  /** With Docmill's tables, still empty. */
  db: Database;
  /** When they are filled. */
  openSearch(model: string): Promise<PgvectorSearch>;
  close(): Promise<void>;
}

export interface PgvectorSearch {
  /** Ways to ask, by name; the first is the one that bars are about. Each answers the ids of what it found, best first. */
  ways: ReadonlyMap<string, (question: Question, limit: number) => Promise<string[]>>;
  /** The way that asks for the nearest vectors and nothing else. */
  byMeaning: string;
  close(): Promise<void>;
}

const modes = ["hybrid", "text", "meaning"] as const;

export async function openOnServer(bench: Bench): Promise<PgvectorPlace> {
  const database = await bench.server.createDatabase("migrated", async (url) => void (await migrate({ url, logger })));
  const db = openDatabase({ url: database.url, logger });
  return {
    db,
    async openSearch() {
      const server = await startDocmill({ args: ["--no-workers"], env: { DATABASE_URL: database.url } });
      const ask = async (mode: string, { text }: Question, limit: number) => {
        const query = new URLSearchParams({ q: text, mode, limit: String(limit) });
        const { items } = await server.get<SearchAnswer>(`/api/search?${query}`);
        return items.map(({ chunkId }) => chunkId);
      };
      const ways = new Map(
        modes.map((mode) => [mode, (question: Question, limit: number) => ask(mode, question, limit)]),
      );
      return { ways, byMeaning: "meaning", close: () => server.stop() };
    },
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

/** One thread and WebAssembly. No words, no HTTP, and the question's vector is known. */
export async function openInPglite(): Promise<PgvectorPlace> {
  const { db, drop } = await openPgliteDatabase();
  return {
    db,
    async openSearch(model) {
      const store = await openVectorStore({ db, logger, threads: 1 });
      const find = async ({ vector }: Question, limit: number) => {
        const found = await store.findNearest(vector, { model, limit });
        return found.map(({ chunkId }) => chunkId);
      };
      const name = "nearest, in PGlite";
      return { ways: new Map([[name, find]]), byMeaning: name, close: () => store.close() };
    },
    close: drop,
  };
}
