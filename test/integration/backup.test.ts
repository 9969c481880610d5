/**
 * A backup taken while work is running, brought back elsewhere, and the work going on there: documents, searches, running
 * jobs, event numbers, keys, idempotency keys and what was paid for.
 */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { DocumentSummary } from "../../src/contract/documents.ts";
import { findEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { type BackupWay, coldCopy, ownBackup, postgresTools } from "../support/backup-ways.ts";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { endProcess, openDocumentClient, type SampleFile } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { makeTopicBook, wordsOf } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

let folder: string;
/** Anew for every test: what was done after a backup is done, and paid for, once more. */
let openAi: FakeService;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
});
afterAll(() => removeTemporaryFolder(folder));

beforeEach(async () => {
  openAi = await startFakeOpenAi();
});
afterEach(() => openAi.close());

async function upload(url: string, { name, bytes }: SampleFile, key = name): Promise<DocumentSummary> {
  const body = new FormData();
  body.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  const { ask } = openDocumentClient(url);
  const answer = await ask("/api/documents", { method: "POST", body, headers: { "idempotency-key": key } });
  if (answer.status !== 200) throw new Error(`the upload was answered ${answer.status}`);
  return answer.body;
}

async function serve(env: Record<string, string>) {
  const settings = {
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${openAi.url}/v1`,
    DOCMILL_EMBEDDINGS_DIMENSIONS: "64",
    DOCMILL_CONCURRENCY: "2",
    DOCMILL_THREADS: "1",
    DOCMILL_LEASE_MS: "10000",
    DOCMILL_POLL_MS: "100",
    // The gated job never gets to its next checkpoint by itself.
    DOCMILL_SHUTDOWN_GRACE_MS: "100",
    ...env,
  };
  const { server, url } = await startServe(["--port", "0", "--config", gatedConfig], { env: settings });
  onTestFinished(() => endProcess(server));
  return { server, url, client: openDocumentClient(url), env: settings };
}

/** As much as is read again after the backup was brought back. */
const mostUploads = 8;

/** Uploads one small document after the other until it is told to stop; answers those that were taken. */
function keepUploading(url: string, name: string) {
  const taken: string[] = [];
  let stopped = false;
  const uploading = (async () => {
    for (let n = 1; !stopped && n <= mostUploads; n++)
      taken.push((await upload(url, makeTopicBook(`${name}-${n}`, [`${name} ${n}`]))).id);
  })();
  return {
    taken,
    async stop() {
      stopped = true;
      await uploading;
    },
  };
}

describe.each([ownBackup, postgresTools, coldCopy])("$name", (way: BackupWay) => {
  it.skipIf(!way.possible)(
    "brings everything back elsewhere, and the work goes on there",
    { timeout: 180_000 },
    async () => {
      const name = `way-${[ownBackup, postgresTools, coldCopy].indexOf(way)}`;
      const at = (what: string) => join(folder, `${name}-${what}`);
      const first = await serve(await way.begin(at("first")));
      const whale = makeTopicBook(`${name}-whale`, [`${name} whale`, `${name} plankton`]);
      const { id: whaleId } = await upload(first.url, whale);
      await first.client.reaches(whaleId, ({ status }) => status === "Ready");
      const paidBefore = new Set(openAi.calls().map(({ content }) => content));
      const { code, stdout } = await runDocmill(["keys", "create", "--name", "auditor", "--scope", "read", "--json"], {
        env: first.env,
      });
      expect(code).toBe(0);
      const { key } = JSON.parse(stdout) as { key: string };
      const job = await createGatedJob(first.url, folder, { items: ["a", "b"] });
      await job.open("a");
      await job.reaches(first.url, ({ completedItems }) => completedItems === 1);
      const seen = await readEvents(first.url, job.id, 2);

      const load = keepUploading(first.url, name);
      await until(() => load.taken.length >= 3);
      if (!way.whileRunning) {
        await load.stop();
        first.server.kill("SIGTERM");
        await first.server.ended;
      }
      await way.take(first.env, at("backup"));
      // What came before the backup began is in it; what came later may be.
      const certain = load.taken.slice(0, 3);
      if (way.whileRunning) await load.stop();
      await endProcess(first.server);

      const second = await serve(await way.restore(at("backup"), at("second")));
      await job.open("b");
      expect(await job.reaches(second.url, ({ status }) => status === "completed")).toMatchObject({
        completedItems: 2,
      });
      // The first item was checkpointed before the backup: nobody runs it again.
      expect(await job.runs()).toMatchObject({ begin: 1, a: 1 });
      const { events, last } = await readAllEvents(second.url, job.id);
      expect(events.slice(0, seen.length)).toEqual(seen);
      expect(events.map(({ id }) => Number(id))).toEqual(events.map((_event, index) => index + 1));
      expect(last).toBe("job_completed");

      const documents = await until(async () => {
        const { body } = await second.client.ask("/api/documents?limit=100");
        return body.items.every(({ status }: DocumentSummary) => status !== "Processing") && body.items;
      });
      expect(documents.map(({ status }: DocumentSummary) => status)).toEqual(documents.map(() => "Ready"));
      const ids = documents.map(({ id }: DocumentSummary) => id);
      expect(ids).toEqual(expect.arrayContaining([whaleId, ...certain]));
      for (const id of ids) expect((await fetch(`${second.url}/api/documents/${id}/file`)).status).toBe(200);
      const markdown = await fetch(`${second.url}/api/documents/${whaleId}/markdown`);
      expect(await markdown.text()).toContain(`On ${name} plankton`);
      for (const mode of ["text", "meaning"]) {
        const words = wordsOf(`${name} plankton`).slice(0, 4).join(" ");
        const { body } = await second.client.ask(`/api/search?mode=${mode}&q=${encodeURIComponent(words)}`);
        expect(body.items[0]).toMatchObject({ document: { id: whaleId }, matched: [mode] });
      }

      // What was paid for before the backup is not paid for again: not even for a file that is brought once more.
      expect((await upload(second.url, whale)).id).toBe(whaleId);
      const again = await upload(second.url, { ...whale, name: "again.epub" });
      await second.client.reaches(again.id, ({ status }) => status === "Ready");
      expect(openAi.calls().filter(({ content, paid }) => paidBefore.has(content) && paid > 1)).toEqual([]);

      const asked = (bearer: string) =>
        fetch(`${second.url}/api/documents`, { headers: { authorization: `Bearer ${bearer}` } });
      expect((await asked(key)).status).toBe(200);
      expect((await asked(`${key.slice(0, -4)}zzzz`)).status).toBe(401);
    },
  );
});

it("a data folder that was copied under a running server is not mistaken for the server's own", async () => {
  const data = join(folder, "running");
  await serve({ DOCMILL_DATA_DIR: data });
  const copied = join(folder, "copied");
  await cp(data, copied, { recursive: true, filter: (path) => !/\/(base|pg_wal|socket)$/.test(path) });
  expect(await findEmbeddedPostgres(data)).toBeDefined();
  expect(await findEmbeddedPostgres(copied)).toBeUndefined();
  await rm(copied, { recursive: true });
});

/** The first events of a job's stream. */
async function readEvents(url: string, jobId: string, count: number) {
  await using stream = await openStream(`${url}/api/jobs/${jobId}/stream`, 0);
  const events = [];
  while (events.length < count) events.push(await stream.next());
  return events;
}

async function readAllEvents(url: string, jobId: string) {
  await using stream = await openStream(`${url}/api/jobs/${jobId}/stream`, 0);
  const events = await stream.rest();
  return { events, last: events.at(-1)?.type };
}
