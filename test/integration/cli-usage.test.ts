/** Wrong usage: every way to hold it wrong ends in one line that says what to do, and in the right exit code. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../src/db/embedded/server-address.ts";
import { version } from "../../src/version.ts";
import { runDocmill } from "../support/docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";

const commands = ["serve", "worker", "add", "search", "heats", "results", "run", "status", "watch", "cancel", "retry"];
commands.push("migrate", "doctor", "crash-test");
const jobId = "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e";

let folder: string;
/** A port where nothing listens. */
let port: number;
let nobody: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  port = await findFreePort();
  nobody = `http://127.0.0.1:${port}`;
});

afterAll(() => removeTemporaryFolder(folder));

describe("help", () => {
  it("lists every command", async () => {
    const { code, stdout } = await runDocmill(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  });

  it.each(commands)("of %s has a description and an example", async (command) => {
    const { code, stdout, stderr } = await runDocmill([command, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: docmill ${command}`);
    expect(stdout).toContain(`docmill ${command}`);
    expect(stdout).toMatch(/Examples?:/);
  });

  it("is what no command at all gets, as wrong usage", async () => {
    const { code, stderr } = await runDocmill([]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Usage: docmill") });
  });

  it("is not needed for the version", async () => {
    expect(await runDocmill(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

describe("wrong usage", () => {
  const oneLine = /^docmill: [^\n]+\n$/;

  it.each([
    ["an unknown command", ["sevre"], /sevre.*serve.*docmill --help/],
    ["an unknown option", ["serve", "--prot", "1"], /--prot.*--port.*docmill serve --help/],
    ["a missing argument", ["cancel"], /job.*docmill cancel --help/],
    ["input that is not JSON", ["run", "word-count", "--input", "{folder}"], /--input is not JSON.*@input\.json/],
    ["input from a file that is not there", ["run", "word-count", "--input", "@nowhere.json"], /nowhere\.json.*ENOENT/],
    ["a priority that is no number", ["run", "word-count", "--priority", "high"], /--priority is "high"/],
    ["a worker without a database", ["worker"], /needs DATABASE_URL.*docmill serve/],
    ["a config file that is not there", ["serve", "--config", "nowhere.ts"], /no config file .*nowhere\.ts/],
  ])("%s: code 2 and one line", async (_, args, message) => {
    const { code, stdout, stderr } = await runDocmill(args, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(message);
  });

  it.each([
    ["a syntax error", "export default {\n  pipelines: [ }\n", /wrong\.ts cannot be loaded.*line 2/],
    ["an import that is not there", 'import "./nowhere.ts";', /wrong\.ts cannot be loaded.*nowhere\.ts/],
    ["an error of its own", 'throw new Error("no luck");', /wrong\.ts cannot be loaded. Error: no luck \(line 1\)/],
    ["no default export", "export const pipelines = [];", /has no default export.*export default docmill/],
    ["no object", "export default 3;", /something else than an object/],
    ["an unknown part", "export default { pipeline: [] };", /"pipeline", which means nothing/],
    ["no list", "export default { pipelines: {} };", /"pipelines" that are not a list/],
    ["a stranger", 'export default { pipelines: [{ kind: "x" }] };', /pipeline 1 that pipeline\(…\) did not make/],
    [
      "a kind without a handler",
      'import { docmill, pipeline, z } from "docmill"; export default docmill({ pipelines: [pipeline("empty", { input: z.unknown() })] });',
      /"empty" has no stages/,
    ],
    [
      "a kind with two handlers",
      'import { docmill, pipeline, z } from "docmill"; const one = () => pipeline("twin", { input: z.unknown() }).stage("only", () => 1); export default docmill({ pipelines: [one(), one()] });',
      /Two pipelines are named "twin"/,
    ],
    [
      "a wrong provider",
      "export default { providers: { ocr: { name: 'mine', version: '1' } } };",
      /wrong\.ts exports providers\.ocr\.read, which must be a function.*CONFIG_FILE_WRONG/,
    ],
    ["a wrong setting", "export default { settings: { port: -1, colour: 'red' } };", /port[\s\S]*colour/],
  ])("a config file with %s: code 2 and its reason", async (_, text, message) => {
    const home = join(folder, "config-files");
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "wrong.ts"), text);
    const { code, stderr } = await runDocmill(["serve", "--config", "wrong.ts"], { cwd: home });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
  });

  it("lists all wrong settings at once", async () => {
    const env = { DATABASE_URL: "mysql://me:secret@db/x", DOCMILL_LEASE_MS: "soon", DOCMILL_CONCURRENCY: "0" };
    const { code, stderr } = await runDocmill(["serve", "--port", "x"], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^docmill: 4 settings are wrong:\n/);
    for (const name of ["--port", "DATABASE_URL", "DOCMILL_LEASE_MS", "DOCMILL_CONCURRENCY"]) {
      expect(stderr).toMatch(new RegExp(`^  ${name}: `, "m"));
    }
    expect(stderr).not.toContain("secret");
  });

  it("shows where an error happened only when asked", async () => {
    const { stderr } = await runDocmill(["worker"], { env: { DOCMILL_LOG_LEVEL: "debug" } });
    expect(stderr).toMatch(/DATABASE_URL_NEEDED[\s\S]*\n +at /);
  });
});

describe("no server", () => {
  it.each([
    ["run", ["run", "word-count"]],
    ["status", ["status"]],
    ["status of a job", ["status", jobId]],
    ["watch", ["watch"]],
    ["watch of a job", ["watch", jobId]],
    ["cancel", ["cancel", jobId]],
    ["retry", ["retry", jobId]],
  ])("%s: code 3 and how to get one", async (_, args) => {
    const { code, stdout, stderr } = await runDocmill([...args, "--server", nobody]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^docmill: There is no Docmill server at .*ECONNREFUSED.*docmill serve.*--server.*\n$/);
  });

  it("is looked for where the settings say", async () => {
    const [byServer, byPort, byFile] = await Promise.all([
      runDocmill(["status"], { env: { DOCMILL_SERVER: nobody } }),
      runDocmill(["status"], { env: { PORT: String(port) } }),
      writeFile(join(folder, "docmill.config.mjs"), `export default { settings: { port: ${port} } };`).then(() =>
        runDocmill(["status"], { cwd: folder }),
      ),
    ]);
    for (const { code, stderr } of [byServer, byPort, byFile]) {
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`at ${nobody} `) });
    }
  });

  it("or no database: a worker waits as long as it is told and ends with code 3", async () => {
    const env = { DATABASE_URL: `postgres://me:secret@127.0.0.1:${port}/x`, DOCMILL_DB_WAIT_MS: "600" };
    const config = new URL("../../examples/docmill.config.ts", import.meta.url).pathname;
    const { code, stderr } = await runDocmill(["worker", "--config", config], { env });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/did not answer within 0\.6 s.*DATABASE_URL/),
    });
    expect(stderr).not.toContain("secret");
  });
});
