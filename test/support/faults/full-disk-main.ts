/**
 * A disk fills up under `docmill serve`, its files and its database: run as root in a mount namespace of its own, so that the
 * small disk it mounts is gone with it. Prints as JSON what people saw.
 */
import { execFileSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { startServe } from "../docmill-process.ts";
import { openDocumentClient } from "../document-place.ts";
import { createGatedJob, gatedConfig } from "../gated-job.ts";
import { until } from "../until.ts";
import { listFilesIn } from "./fault-place.ts";
import { tryUpload } from "./patient-client.ts";

const [, , disk, gates] = process.argv as string[] as [string, string, string, string];
const dataDir = join(disk, "data");
const filler = join(disk, "filler");
const files = () => listFilesIn(join(dataDir, "files"));

execFileSync("mount", ["-t", "tmpfs", "-o", "size=200m", "tmpfs", disk]);
// One slot: what is behind the gated job waits for it. Temporary files are not on the small disk.
const env = { DOCMILL_CONCURRENCY: "1", DOCMILL_POLL_MS: "200" };
const serving = ["--port", "0", "--config", gatedConfig, "--data-dir", dataDir];
const { server, url } = await startServe(serving, { env });
// Whoever started this has waited long enough.
process.once("SIGTERM", () => {
  server.kill("SIGKILL");
  process.exit(1);
});
const client = openDocumentClient(url);
const readDocument = (id: string) => client.ask(`/api/documents/${id}`);

const before = await client.upload({ name: "before.txt", bytes: Buffer.from("There was room for this.") });
await client.reaches(before.id, ({ status }) => status === "Ready");
const job = await createGatedJob(url, gates, { items: ["a", "b"] });
await until(async () => (await job.runs()).a === 1);
const waiting = await client.upload({ name: "waiting.txt", bytes: Buffer.from("Taken before the disk was full.") });

await fill();
const had = await files();
const refused = await tryUpload(url, "large.txt", "No room for so many words. ".repeat(20_000));
const upload = {
  status: refused.status,
  body: await refused.json(),
  left: (await files()).filter((file) => !had.includes(file)),
};
const alive = (await fetch(`${url}/healthz`)).status;
const readiness = await client.ask("/readyz");
const seenWhileFull = (await readDocument(before.id)).status;

// Its checkpoints are small; then the document's turn comes, which has something to store.
await job.open("a", "b");
await server.says(/(?=.*"kind":"document")(?=.*"code":"STORAGE_FULL").*"msg":"job attempt failed"/);
const hindered = (await readDocument(waiting.id)).body.status;

// What goes into the database needs room too: sooner or later there is none.
const input = "x".repeat(900_000);
const created: string[] = [];
const noRoomInDatabase = await until(async () => {
  const { status, body } = await client.post("/api/jobs", {
    kind: "gated",
    input: { folder: input, items: [] },
    delayMs: 3_600_000,
  });
  if (status === 201) created.push(body.id);
  return status !== 201 && { status, error: body.error };
});

await rm(filler);
await until(async () => (await fetch(`${url}/readyz`)).status === 200);
const done = await until(async () => {
  const [document, gated] = [await readDocument(waiting.id), await job.read(url).catch(() => undefined)];
  return document.body.status === "Ready" && gated?.status === "completed";
});
const lost: string[] = [];
for (const id of created) if ((await client.ask(`/api/jobs/${id}`)).status !== 200) lost.push(id);
const after = await client.upload({ name: "after.txt", bytes: Buffer.from("There is room again.") });
await client.reaches(after.id, ({ status }) => status === "Ready");
const { body: listed } = await client.ask("/api/documents");
const documents = listed.items.map(({ filename }: { filename: string }) => filename).sort();
server.kill("SIGTERM");
const { code } = await server.ended;

console.log(
  JSON.stringify({
    upload,
    alive,
    readiness,
    seenWhileFull,
    hindered,
    noRoomInDatabase,
    done,
    lost,
    documents,
    runs: await job.runs(),
    code,
  }),
);

async function fill(): Promise<void> {
  const file = await open(filler, "w");
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (;;) await file.write(chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
}
