/** `docmill keys`, and what `serve` does with and without them on addresses that others can reach. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { endProcess } from "../support/document-place.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, DOCMILL_POLL_MS: "200" };
});
afterAll(() => database.drop());

const keys = (...args: string[]) => runDocmill(["keys", ...args], { env });

describe("keys", () => {
  it.each([
    ["all addresses", ["--host", "0.0.0.0"], {}, /0\.0\.0\.0 without API keys.*docmill keys create.*127\.0\.0\.1/],
    ["all IPv6 addresses", ["--host", "::"], {}, /:: without API keys/],
    ["a name that looks local", ["--host", "127.0.0.1.example.invalid"], {}, /without API keys/],
    ["loopback, if they are wanted there", [], { DOCMILL_REQUIRE_KEYS: "true" }, /DOCMILL_REQUIRE_KEYS is set/],
  ])("there being none, serve does not start on %s", async (_, args, more, message) => {
    const { code, stdout, stderr } = await runDocmill(["serve", "--port", "0", ...args], { env: { ...env, ...more } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trim().split("\n").at(-1)).toMatch(message);
    expect(stderr).toMatch(/OPEN_BIND_REFUSED/);
  });

  it("are made, used on an open address, listed and revoked", async () => {
    const made = await keys("create", "--name", "ops", "--scope", "admin");
    expect(made.code).toBe(0);
    const key = made.stdout.split("\n", 1)[0] as string;
    expect(key).toMatch(/^dm_[a-z2-7]{10}_[\w-]{43}$/);

    const { server, url } = await startServe(["--host", "0.0.0.0", "--port", "0", "--no-workers"], { env });
    onTestFinished(() => endProcess(server));
    const here = url.replace("0.0.0.0", "127.0.0.1");
    expect(server.stdout).toMatch(/access {5}API keys/);
    expect((await fetch(`${here}/api/stats`)).status).toBe(401);
    expect((await fetch(`${here}/api/stats`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);

    const listed = await keys("list");
    expect(listed.stdout).toMatch(new RegExp(`${key.slice(0, 13)} +admin +usable +\\S+ +\\d{4}-\\d\\d-\\d\\d +ops`));
    expect(listed.stdout).not.toContain(key.slice(14));

    const revoked = await keys("revoke", "ops");
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining("is revoked") });
    expect((await keys("list")).stdout).toMatch(/revoked/);
  });

  it.each([
    ["no name", ["create"], /--name/],
    ["an unknown scope", ["create", "--name", "x", "--scope", "root"], /read, write, admin/],
    ["no days", ["create", "--name", "x", "--expires-days", "soon"], /expires/],
    ["an unknown key", ["revoke", "nobody"], /There is no key "nobody".*docmill keys list/],
    ["nothing to do", ["frobnicate"], /docmill keys --help/],
  ])("%s is refused in a line that says what to do", async (_, args, message) => {
    const { code, stderr } = await keys(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
