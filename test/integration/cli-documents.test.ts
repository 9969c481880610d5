/** `docmill add`, `search` and `status` as a user types them, against a real server. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentDetail } from "../../src/contract/documents.ts";
import { type DocmillProcess, runDocmill, spawnDocmill, startServe } from "../support/docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let folder: string;
let texts: string;
let database: TestDatabase;
let server: DocmillProcess;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  texts = join(folder, "texts");
  await mkdir(join(texts, "more", ".hidden"), { recursive: true });
  await writeFile(join(texts, "lamps.md"), "# Lamps\n\nThe lighthouse burns colza oil in winter.\n");
  await writeFile(join(texts, "more", "ropes.txt"), "Hemp ropes are tarred twice a year.\n");
  await writeFile(join(texts, "more", ".hidden", "secret.txt"), "Nobody means this file.\n");
  await writeFile(join(folder, "broken.pdf"), "%PDF-1.4\nthis is no PDF at all, only its first line is\n");
  await writeFile(join(folder, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]));
  database = await createTestDatabase();
  const serving = { DATABASE_URL: database.url, DOCMILL_DATA_DIR: join(folder, "data"), DOCMILL_POLL_MS: "200" };
  const started = await startServe(["--port", "0"], { env: serving });
  server = started.server;
  env = { DOCMILL_SERVER: started.url };
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await database.drop();
  await removeTemporaryFolder(folder);
});

describe("docmill add", () => {
  it("uploads the files of a folder and watches them to the end", async () => {
    const { code, stdout } = await runDocmill(["add", texts], { env });
    expect(stdout).toMatch(/^lamps\.md [0-9a-f-]{36}: ready, 1 passages, 0 fields, 0 tables$/m);
    expect(stdout).toMatch(/^ropes\.txt [0-9a-f-]{36}: ready/m);
    expect(stdout).not.toContain("secret.txt");
    expect(code).toBe(0);
  });

  it("prints the documents as they are in the end, for scripts", async () => {
    const args = ["add", join(texts, "*.md"), "--title", "Oil lamps", "--json"];
    const { code, stdout } = await runDocmill(args, { env });
    const documents = JSON.parse(stdout) as DocumentDetail[];
    expect(documents).toMatchObject([{ filename: "lamps.md", title: "Oil lamps", status: "Ready", chunkCount: 1 }]);
    expect(code).toBe(0);
  });

  it("says what became of each, and fails if one did", async () => {
    const files = ["lamps.md", "../broken.pdf", "../program"].map((name) => join(texts, name));
    const { code, stdout } = await runDocmill(["add", ...files], { env });
    expect(stdout).toMatch(/^lamps\.md .*: ready/m);
    expect(stdout).toMatch(/^broken\.pdf .*: failed \(CORRUPT_PDF\): /m);
    expect(stdout).toMatch(/^program: .*\(UNSUPPORTED_TYPE\)$/m);
    expect(stdout).toMatch(/Try again: docmill retry [0-9a-f-]{36}/);
    expect(code).toBe(1);
  });

  it("only uploads with --no-watch", async () => {
    const { code, stdout } = await runDocmill(["add", join(texts, "lamps.md"), "--no-watch"], { env });
    expect(stdout).toMatch(/^lamps\.md [0-9a-f-]{36}: \w+/m);
    expect(code).toBe(0);
  });

  it.each([
    ["a file that is not there", ["add", "no-such-file.pdf"], 2, /There is no no-such-file\.pdf\./],
    ["a pattern that matches nothing", ["add", "no-such-*.pdf"], 2, /There is no no-such-\*\.pdf\./],
    ["a wrong choice", ["add", "x.pdf", "--ocr", "perhaps"], 2, /auto, always, never/],
  ])("refuses %s in one line", async (_what, args, code, message) => {
    const ended = await runDocmill(args, { env, cwd: folder });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.code).toBe(code);
  });

  it("gives a title to a single document only", async () => {
    const { code, stderr } = await runDocmill(["add", texts, "--title", "Both"], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("--title is for a single document")]);
  });

  it("passes over links that lead nowhere", async () => {
    const links = join(folder, "links");
    await mkdir(links);
    await symlink(join(folder, "nowhere"), join(links, "dead.txt"));
    await writeFile(join(links, "alive.txt"), "A link that leads somewhere.\n");
    const { code, stdout } = await runDocmill(["add", join(links, "*.txt"), "--no-watch"], { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^alive\.txt /)]);
  });

  it("says that no server is there", async () => {
    const away = { DOCMILL_SERVER: "http://127.0.0.1:9" };
    const { code, stderr } = await runDocmill(["add", join(texts, "lamps.md")], { env: away });
    expect(stderr).toMatch(/There is no Docmill server at .*docmill serve/);
    expect(code).toBe(3);
  });

  it("leaves the work running after Ctrl-C, and says how to look again", async () => {
    // Nobody is there to do the work, so that the interruption comes before its end.
    const waiting = await createTestDatabase();
    const idle = await startServe(["--port", "0", "--no-workers"], { env: { DATABASE_URL: waiting.url } });
    const adding = spawnDocmill(["add", join(texts, "lamps.md")], { env: { DOCMILL_SERVER: idle.url } });
    await adding.says(/lamps\.md waiting/);
    adding.kill("SIGINT");
    const { code, stdout } = await adding.ended;
    expect(stdout).toMatch(/The work goes on\. Look again: docmill status/);
    expect(code).toBe(130);
    idle.server.kill("SIGTERM");
    await idle.server.ended;
    await waiting.drop();
  });
});

describe("docmill search and status", () => {
  it("finds passages and shows where they stand", async () => {
    const { code, stdout } = await runDocmill(["search", "tarred", "ropes", "--limit", "1"], { env });
    expect(stdout).toMatch(/^ropes\.txt\n {2}Hemp ropes are tarred twice a year\.?\n$/);
    expect(code).toBe(0);
  });

  it("gives scripts what the server answers", async () => {
    const { stdout } = await runDocmill(["search", "lighthouse", "--json"], { env });
    expect(JSON.parse(stdout).items[0]).toMatchObject({ headingPath: ["Lamps"], page: null });
  });

  it("shows a document by its id", async () => {
    const { stdout } = await runDocmill(["search", "ropes", "--json"], { env });
    const { id } = JSON.parse(stdout).items[0].document;
    const shown = await runDocmill(["status", id], { env });
    expect(shown.stdout).toMatch(/^ropes\.txt .*: ready/);
    expect(shown.stdout).toMatch(/^passages {3}1, 1 with a vector \(use-lite-en-1\)$/m);
    expect(shown.code).toBe(0);
  });

  it("says that there is no such thing", async () => {
    const { code, stderr } = await runDocmill(["status", "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e"], { env });
    expect(stderr).toMatch(/There is no job and no document 0199c1f0/);
    expect(code).toBe(2);
  });
});
