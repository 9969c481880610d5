/**
 * What a document costs, by kind: processor time of the server and of PostgreSQL, bytes in the database, in its log and in
 * storage, rows and events. Capacity is planned from these.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawPdf } from "../../../test/support/sample-pdfs.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { makePrintedPages } from "../../books/make-scans.ts";
import { seededRandom } from "../../documents/random.ts";
import { openTextSource } from "../../documents/synthetic-text.ts";
import type { Bench, Scenario } from "../../harness/bench.ts";
import { listDocuments } from "../../harness/corpus.ts";
import { startDocmill } from "../../harness/docmill-server.ts";
import { measureCpu } from "../../harness/process-tree.ts";
import type { Table } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";

const wordsPerPage = 400;
const reportPages = 10;
const mostReal = 25;
const mostBytesOfReal = 1_500_000;

interface Kind {
  name: string;
  /** How many are read; of a kind that is slow, fewer. */
  most: number;
  /** Writes so many of them into the folder; answers where they are. */
  make(folder: string, count: number): Promise<string[]>;
}

interface Spent {
  pages: number;
  cpuSeconds: number;
  databaseCpuSeconds: number;
  databaseBytes: number;
  logBytes: number;
  blobBytes: number;
  chunks: number;
  events: number;
}

/** Bytes of each table with its indexes and what is kept beside it. */
type TableBytes = Record<string, number>;

export const cost: Scenario = {
  name: "cost",
  title: "what a document costs",
  async run(bench) {
    const rows: Table["rows"][number][] = [];
    const places: Table["rows"][number][] = [];
    for (const kind of [...makeKinds(), ...(await findKinds(bench))]) {
      const documents = bench.options.quick ? 5 : kind.most;
      const { spent, tables } = await spend(bench, kind, documents);
      const each = (value: number, digits = 0) => Number((value / documents).toFixed(digits));
      rows.push([
        kind.name,
        each(spent.pages, 1),
        each(spent.cpuSeconds, 3),
        each(spent.databaseCpuSeconds, 3),
        each(spent.databaseBytes / 1024, 1),
        each(spent.logBytes / 1024, 1),
        each(spent.blobBytes / 1024, 1),
        each(spent.chunks, 1),
        each(spent.events, 1),
      ]);
      for (const [table, bytes] of largest(tables)) places.push([kind.name, table, each(bytes / 1024, 1)]);
      bench.say(`  ${kind.name}: ${each(spent.cpuSeconds, 3)} s, ${each(spent.databaseBytes / 1024, 1)} kB`);
    }
    const columns = [
      "kind",
      "pages",
      "CPU s",
      "PostgreSQL CPU s",
      "database kB",
      "log kB",
      "files kB",
      "passages",
      "events",
    ];
    return {
      scenario: this.name,
      measured: [],
      bars: [],
      skipped: [],
      tables: [
        { title: "each document of a kind, on the average", columns, rows },
        { title: "where it is in the database", columns: ["kind", "table", "kB a document"], rows: places },
      ],
    };
  },
};

function largest(tables: TableBytes): [table: string, bytes: number][] {
  return Object.entries(tables)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 6);
}

function makeKinds(): Kind[] {
  const random = seededRandom(7);
  const source = openTextSource(random);
  const page = (topic: number) => source.write(random, topic, wordsPerPage);
  return [
    {
      name: "note",
      most: 100,
      make: (folder, count) =>
        writeEach(folder, count, "md", async (number) => Buffer.from(`# Note ${number}\n\n${page(number)}\n`)),
    },
    {
      name: "report",
      most: 100,
      make: (folder, count) =>
        writeEach(folder, count, "pdf", (number) =>
          drawPdf((pdf) => {
            for (let drawn = 0; drawn < reportPages; drawn++) {
              if (drawn > 0) pdf.addPage();
              pdf
                .fontSize(16)
                .text(`${number}.${drawn + 1} Part`)
                .fontSize(10)
                .text(page(number));
            }
          }),
        ),
    },
    { name: "scan", most: 20, make: makePrintedPages },
  ];
}

/** Real reports and papers, where there are some: invented text is more alike than people's, and more connected. */
async function findKinds(bench: Bench): Promise<Kind[]> {
  if (!existsSync(join(bench.options.corpus, "pdf"))) return [];
  const files = await listDocuments(bench, "pdf");
  const small: string[] = [];
  for (const file of files) if ((await stat(file)).size <= mostBytesOfReal) small.push(file);
  const most = Math.min(small.length - 1, mostReal);
  return [{ name: "real PDF", most, make: async (_, count) => small.slice(0, count) }];
}

async function writeEach(
  folder: string,
  count: number,
  extension: string,
  make: (number: number) => Promise<Uint8Array>,
): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, number) => join(folder, `${number}.${extension}`));
  for (const [number, path] of paths.entries()) await writeFile(path, await make(number));
  return paths;
}

async function spend(bench: Bench, kind: Kind, documents: number): Promise<{ spent: Spent; tables: TableBytes }> {
  const database = await bench.server.createDatabase("cost", async () => undefined);
  const folder = await makeTemporaryFolder();
  const data = join(folder, "data");
  const server = await startDocmill({ env: { DATABASE_URL: database.url, DOCMILL_DATA_DIR: data } });
  try {
    const postmaster = await findPostmaster(database.url);
    const files = await kind.make(folder, documents + 1);
    const read = async (paths: readonly string[]) => {
      for (const path of paths) await server.upload(path);
      await server.untilIdle();
    };
    // What is loaded and warmed up for the first one is paid once.
    await read(files.slice(0, 1));
    const [before, tablesBefore] = [await measure(), await measureTables(database.url)];
    await read(files.slice(1));
    const [after, tablesAfter] = [await measure(), await measureTables(database.url)];
    return { spent: subtract(after, before), tables: subtract(tablesAfter, tablesBefore) };

    async function measure(): Promise<Spent> {
      const { rows } = await withClient(database.url, async (client) => {
        await client.query("vacuum");
        return client.query(`
          select pg_database_size(current_database())::float8 as database,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log,
            (select count(*)::int from document_pages) as pages, (select count(*)::int from chunks) as chunks, (select count(*)::int from events) as events`);
      });
      return {
        pages: rows[0].pages,
        cpuSeconds: await measureCpu(server.pid),
        databaseCpuSeconds: await measureCpu(postmaster),
        databaseBytes: rows[0].database,
        logBytes: rows[0].log,
        blobBytes: await measureFolder(data),
        chunks: rows[0].chunks,
        events: rows[0].events,
      };
    }
  } finally {
    await server.stop();
    await database.drop();
    await removeTemporaryFolder(folder);
  }
}

function subtract<Figures extends object>(after: Figures, before: Figures): Figures {
  const earlier = new Map<string, number>(Object.entries(before));
  const left = Object.entries(after).map(([name, value]) => [name, value - (earlier.get(name) ?? 0)]);
  return Object.fromEntries(left) as Figures;
}

function measureTables(url: string): Promise<TableBytes> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      select relname as name, pg_total_relation_size(oid)::float8 as bytes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
  });
}

/** The parent of the process that serves this connection. */
function findPostmaster(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const status = await readFile(`/proc/${rows[0].pid}/status`, "utf8");
    return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
  });
}

async function measureFolder(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
