/** The storage of files refuses, hangs up, takes its time or breaks off, under a server that people use: what they see, and that nothing is lost. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { type DocumentClient, openDocumentClient } from "../support/document-place.ts";
import { listFilesIn } from "../support/faults/fault-place.ts";
import { type Mood, type MoodyStorage, startMoodyStorage } from "../support/faults/moody-storage.ts";
import { tryUpload } from "../support/faults/patient-client.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let folder: string;
let database: TestDatabase;
let storage: MoodyStorage;
let server: DocmillProcess;
let url: string;
let client: DocumentClient;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  database = await createTestDatabase();
  storage = await startMoodyStorage(join(folder, "bucket"));
  const env = { DATABASE_URL: database.url, DOCMILL_POLL_MS: "200", DOCMILL_THREADS: "1", ...storage.env };
  ({ server, url } = await startServe(["--port", "0"], { env }));
  client = openDocumentClient(url);
});
afterEach(() => storage.be("well"));
afterAll(async () => {
  server.kill("SIGKILL");
  await server.ended;
  await storage.close();
  await database.drop();
  await removeTemporaryFolder(folder);
});

const upload = (name: string) => client.upload({ name, bytes: Buffer.from(`${name} tells of a pier in the fog.`) });

describe("while storage is away", () => {
  it.each<[Mood, string]>([
    [500, "STORAGE_UNAVAILABLE"],
    [503, "STORAGE_UNAVAILABLE"],
    [403, "STORAGE_DENIED"],
    ["gone", "STORAGE_UNAVAILABLE"],
  ])("(%s) uploads are refused with words and leave nothing, and the rest goes on", async (mood, code) => {
    const before = await listFilesIn(join(folder, "bucket"));
    storage.be(mood);
    const refused = await tryUpload(url, "refused.txt", "Nobody takes this.");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await refused.json()).toMatchObject({ error: code, message: expect.stringMatching(/s3:/) });
    expect(await client.ask("/readyz")).toMatchObject({ status: 503, body: { checks: { storage: { ok: false } } } });
    expect((await client.ask("/healthz")).status).toBe(200);
    expect((await client.ask("/api/documents")).status).toBe(200);
    expect(await database.db.query(sql`select from documents where filename = 'refused.txt'`)).toEqual([]);
    storage.be("well");
    expect(await listFilesIn(join(folder, "bucket"))).toEqual(before);
  });

  it("a job waits, tries again and ends well, and the same work is not done twice", async () => {
    storage.be(503, ["GET", "HEAD"]);
    const { id } = await upload("foggy.txt");
    const [job] = await until(async () => {
      const jobs = await client.jobs(id);
      return jobs[0]?.error_log.some(({ code }) => code === "STORAGE_UNAVAILABLE") && jobs;
    });
    expect(job?.status).not.toBe("failed");
    expect(await client.read(id)).toMatchObject({ status: "Processing" });
    storage.be("well");
    expect(await client.reaches(id, ({ status }) => status !== "Processing")).toMatchObject({ status: "Ready" });
  });

  it("a job that is not let in fails with what to do, and goes on when it is retried", async () => {
    storage.be(403, ["GET", "HEAD"]);
    const { id } = await upload("locked.txt");
    const failed = await client.reaches(id, ({ status }) => status === "Failed");
    expect(failed.job).toMatchObject({
      errorCode: "STORAGE_DENIED",
      errorMessage: expect.stringContaining("credentials"),
    });
    storage.be("well");
    expect((await client.post(`/api/documents/${id}/retry`)).status).toBe(200);
    expect(await client.reaches(id, ({ status }) => status !== "Processing")).toMatchObject({ status: "Ready" });
  });
});

describe("storage that takes its time", () => {
  it("holds up the upload that it is about, and nobody else", async () => {
    storage.be("held", ["PUT"]);
    const held = tryUpload(url, "slow.txt", "This takes a while.");
    await until(() => storage.met() > 0);
    expect((await client.ask("/api/documents")).status).toBe(200);
    storage.be("well");
    expect((await held).status).toBe(200);
  });
});

describe("a download that storage breaks off", () => {
  it("is broken off for its reader too, and never ends as if it were whole", async () => {
    const text = Array.from({ length: 40_000 }, (_, n) => `line ${n}`).join("\n");
    const taken = await tryUpload(url, "long.txt", text);
    const { id } = (await taken.json()) as { id: string };
    await client.post(`/api/documents/${id}/cancel`);
    for (let time = 0; time < 5; time++) {
      storage.be("cut", ["GET"]);
      const read = await fetch(`${url}/api/documents/${id}/file`)
        .then((response) => response.text())
        .catch(() => undefined);
      expect(read).toBeUndefined();
    }
    storage.be("well");
    expect(await (await fetch(`${url}/api/documents/${id}/file`)).text()).toBe(text);
  });
});
