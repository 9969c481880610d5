/**
 * A server that has read documents of the corpus, the way a user's would: uploaded, processed as jobs, results asked for
 * over HTTP. All scenarios share one, so that nothing is read twice.
 */
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type {
  DocumentFieldList,
  DocumentOutline,
  DocumentSummary,
  DocumentTableList,
} from "../../src/contract/documents.ts";
import type { Bench } from "../harness/bench.ts";
import { connectDocmill, type DocmillClient, type DocmillServer, startDocmill } from "../harness/docmill-server.ts";

export type Fields = DocumentFieldList["items"];
export type Tables = DocumentTableList["items"];

export interface ReadDocument {
  path: string;
  /** As the corpus calls it. */
  name: string;
  id: string;
  markdown: string;
  /** Where each page begins in the markdown. */
  pages: readonly { page: number; offset: number }[];
  headings: DocumentOutline["items"];
  tables: Tables;
  fields: Fields;
}

export interface Library {
  client: DocmillClient;
  /** Those that could be read; the others are in `failed`. */
  read(paths: readonly string[]): Promise<{ documents: ReadDocument[]; failed: string[] }>;
}

const pollMs = 500;
const mostAtOnce = 500;

let started: Promise<DocmillServer> | undefined;
const known = new Map<string, Promise<ReadDocument>>();

export async function openLibrary(bench: Bench): Promise<Library> {
  if (bench.options.docmill === undefined) started ??= startDocmill();
  const client =
    bench.options.docmill === undefined
      ? await (started as Promise<DocmillServer>)
      : connectDocmill(bench.options.docmill);
  const summaries = await listAll(client);

  const readOne = async (path: string): Promise<ReadDocument> => {
    const name = basename(path);
    const there = summaries.find(({ filename }) => filename === name) ?? (await client.upload(path));
    await untilRead(client, there.id);
    return fetchResults(client, path, there.id);
  };
  return {
    client,
    async read(paths) {
      const before = performance.now();
      const results = await Promise.allSettled(
        paths.map((path) => {
          const reading = known.get(path) ?? readOne(path);
          known.set(path, reading);
          return reading;
        }),
      );
      bench.say(`  ${paths.length} documents read in ${Math.round((performance.now() - before) / 1_000)} s`);
      return {
        documents: results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
        failed: results.flatMap((result, place) =>
          result.status === "rejected"
            ? [`${basename(paths[place] as string)}: ${(result.reason as Error).message}`]
            : [],
        ),
      };
    },
  };
}

export async function closeLibrary(): Promise<void> {
  await (await started)?.stop();
}

async function listAll(client: DocmillClient): Promise<DocumentSummary[]> {
  const all: DocumentSummary[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const further = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await client.get<{ items: DocumentSummary[]; nextCursor: string | null }>(
      `/api/documents?limit=${mostAtOnce}${further}`,
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

async function untilRead(client: DocmillClient, id: string): Promise<void> {
  for (;;) {
    const { status, errorCode, errorMessage } = await client.get<DocumentSummary>(`/api/documents/${id}`);
    if (status === "Ready") return;
    if (status !== "Processing") throw new Error(`${status}: ${errorCode} ${errorMessage}`);
    await delay(pollMs);
  }
}

async function fetchResults(client: DocmillClient, path: string, id: string): Promise<ReadDocument> {
  const [text, outline, tables, fields] = await Promise.all([
    client.get<{ markdown: string; pages: ReadDocument["pages"] }>(`/api/documents/${id}/markdown`),
    client.get<DocumentOutline>(`/api/documents/${id}/outline`),
    client.get<DocumentTableList>(`/api/documents/${id}/tables?limit=${mostAtOnce}`),
    client.get<DocumentFieldList>(`/api/documents/${id}/fields?limit=${mostAtOnce}`),
  ]);
  return {
    path,
    name: basename(path),
    id,
    ...text,
    headings: outline.items,
    tables: tables.items,
    fields: fields.items,
  };
}
