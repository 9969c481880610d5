/** What happens to an upload that is cut, too large or killed: a clear answer, and nothing of it stays. */
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let folder: string;
let database: TestDatabase;
let server: DocmillProcess;
let url: string;

const start = () =>
  startServe(["--port", "0", "--no-workers"], {
    env: { DATABASE_URL: database.url, DOCMILL_DATA_DIR: folder, DOCMILL_MAX_FILE_MB: "1" },
  });

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  database = await createTestDatabase();
  ({ server, url } = await start());
});

afterAll(async () => {
  server.kill("SIGKILL");
  await server.ended;
  await database.drop();
  await removeTemporaryFolder(folder);
});

/** Every file in storage, those still being written included. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(folder, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function documentCount(): Promise<number> {
  const [row] = await database.db.query<{ count: number }>(sql`select count(*) from documents`);
  return row?.count ?? 0;
}

const boundary = "----cut";
const partHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="long.txt"\r\n\r\n`;

/** A client that begins an upload by hand, so that it can stop wherever it likes. */
async function beginUpload(): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/documents HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const send = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  send(partHead);
  send("The beginning of a long text. ".repeat(8_000));
  await until(async () => (await storedFiles()).length === 1);
  return socket;
}

describe("an upload", () => {
  it("that is too large is answered with 413 while it is still being sent", async () => {
    const form = new FormData();
    form.append("file", new Blob(["a line of text\n".repeat(200_000)]), "large.txt");
    const response = await fetch(`${url}/api/documents`, { method: "POST", body: form });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: "FILE_TOO_LARGE", message: expect.stringContaining("1 MB") });
    expect(await storedFiles()).toEqual([]);
    expect(await documentCount()).toBe(0);
  });

  it("whose connection breaks leaves nothing behind", async () => {
    const socket = await beginUpload();
    socket.destroy();
    await until(async () => (await storedFiles()).length === 0);
    expect(await documentCount()).toBe(0);
  });

  it("of which a later file is refused takes the earlier ones with it", async () => {
    const form = new FormData();
    for (let index = 0; index < 5; index++) form.append("file", new Blob([`Note ${index}.`]), `note ${index}.txt`);
    form.append("file", new Blob([""]), "nothing.txt");
    const response = await fetch(`${url}/api/documents`, { method: "POST", body: form });
    expect(await response.json()).toMatchObject({ error: "EMPTY_FILE" });
    expect(await storedFiles()).toEqual([]);
    expect(await documentCount()).toBe(0);
  });

  it("during which the server is killed leaves no document and no file under a name", async () => {
    const socket = await beginUpload();
    server.kill("SIGKILL");
    await server.ended;
    socket.destroy();
    ({ server, url } = await start());
    expect(await documentCount()).toBe(0);
    const visible = (await storedFiles()).filter((path) => !path.includes(`${join("files", ".incoming")}`));
    expect(visible).toEqual([]);
  });
});
