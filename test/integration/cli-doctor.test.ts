/** `docmill doctor` and `docmill migrate`: what they find in a healthy and in a sick system. */
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../src/db/embedded/server-address.ts";
import { findEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { sql } from "../../src/db/sql.ts";
import { runDocmill } from "../support/docmill-process.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import { gatedConfig } from "../support/gated-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, describeOnEachServer } from "../support/test-database.ts";

let folder: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
});

afterAll(() => removeTemporaryFolder(folder));

describeOnEachServer("doctor", (server) => {
  it("finds a database without tables, migrate makes them, and then all is well", async () => {
    const database = await createTestDatabase({ server, empty: true });
    const options = { env: { DATABASE_URL: database.url, DOCMILL_CONFIG: gatedConfig } };
    const before = await runDocmill(["doctor"], options);
    expect(before).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^warn {2}migrations: missing: 0001_engine.*docmill migrate/m),
    });

    expect(await runDocmill(["migrate"], options)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Applied: 0001_engine/),
    });
    expect(await runDocmill(["migrate"], options)).toMatchObject({ code: 0, stdout: "The schema is current.\n" });

    const { code, stdout } = await runDocmill(["doctor"], options);
    expect(code).toBe(0);
    for (const subject of [
      "config file",
      "Node.js",
      "data folder",
      "database",
      "migrations",
      "notifications",
      "clock",
      "access",
    ]) {
      expect(stdout).toMatch(new RegExp(`^ok    ${subject}: `, "m"));
    }
    expect(stdout).toContain("pipelines: gated");
    expect(stdout).not.toMatch(/^(warn|fail)/m);
    await database.drop();
  });

  it("fails where keys are asked for and there are none", async () => {
    const database = await createTestDatabase({ server });
    const env = { DATABASE_URL: database.url, HOST: "0.0.0.0" };
    const { code, stdout } = await runDocmill(["doctor"], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {2}access: .*there are none.*docmill keys create/m);
    await database.drop();
  });

  it("fails on a schema from the future", async () => {
    const database = await createTestDatabase({ server });
    await database.db.query(
      sql`insert into schema_migrations (version, name, checksum) values (9999, '9999_later', 'x')`,
    );
    const env = { DATABASE_URL: database.url };
    expect(await runDocmill(["doctor"], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^fail {2}migrations: .*9999_later/m),
    });
    expect(await runDocmill(["migrate"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("SCHEMA_TOO_NEW"),
    });
    await database.drop();
  });
});

describe("doctor on the embedded database", () => {
  it("tries it without leaving anything, then looks at the one that is there", async () => {
    const dataDir = join(folder, "data");
    const before = await leftovers();
    const tried = await runDocmill(["doctor", "--data-dir", dataDir]);
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {4}database: .*temporary folder/m) });
    expect(tried.stdout).toMatch(/^ok {4}embedded PostgreSQL: /m);
    expect(await readdir(folder)).toEqual([]);
    expect(await leftovers()).toEqual(before);

    expect(await runDocmill(["migrate", "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
    const real = await runDocmill(["doctor", "--data-dir", dataDir]);
    expect(real.stdout).toMatch(/^ok {4}database: .*started for this check/m);
    expect(real.stdout).toMatch(/^ok {4}migrations: current/m);
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
  });
});

describe("doctor in a sick system", () => {
  it("fails on a database that does not answer, without its password", async () => {
    const env = { DATABASE_URL: `postgres://me:secret@127.0.0.1:${await findFreePort()}/docmill` };
    const { code, stdout } = await runDocmill(["doctor"], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {2}database: .*ECONNREFUSED.*DATABASE_URL/m);
    expect(stdout).not.toContain("secret");
  });

  it("reports every wrong setting, the misspelt ones and a broken config file together", async () => {
    const env = { PORT: "x", DOCMILL_LEASE_MS: "y", DOCMILL_LAESE_MS: "1", DOCMILL_CONFIG: join(folder, "nowhere.ts") };
    const { code, stdout } = await runDocmill(["doctor"], { env });
    expect(code).toBe(1);
    for (const finding of [
      /^fail {2}setting: PORT/m,
      /^fail {2}setting: DOCMILL_LEASE_MS/m,
      /^warn {2}setting: DOCMILL_LAESE_MS/m,
      /^fail {2}config file: .*nowhere/m,
    ]) {
      expect(stdout).toMatch(finding);
    }
  });
});

describe("doctor on services", () => {
  it("asks each for something small, and says what to check where that fails", async () => {
    const service = await startFakeOpenAi({ apiKey: "right-key" });
    try {
      const environment = (key: string) => ({
        DOCMILL_EMBEDDINGS: "openai",
        DOCMILL_EMBEDDINGS_URL: `${service.url}/v1`,
        DOCMILL_EMBEDDINGS_KEY: key,
        DOCMILL_MODEL: "small",
        DOCMILL_MODEL_URL: `${service.url}/v1`,
        DOCMILL_MODEL_KEY: key,
      });
      const args = ["doctor", "--data-dir", join(folder, "services")];
      const right = await runDocmill(args, { env: environment("right-key") });
      expect(right.stdout).toMatch(/^ok {4}embeddings: openai, .*dimensions$/m);
      expect(right.stdout).toMatch(/^ok {4}language model: openai, small: answers$/m);
      expect(right.code).toBe(0);
      const wrong = await runDocmill(args, { env: environment("wrong-key") });
      expect(wrong.stdout).toMatch(/^fail {2}embeddings: .*Check DOCMILL_EMBEDDINGS_URL/m);
      expect(wrong.stdout).toMatch(/^fail {2}language model: .*Check DOCMILL_MODEL_URL/m);
      expect(wrong.stdout).not.toContain("wrong-key");
      expect(wrong.code).toBe(1);
    } finally {
      await service.close();
    }
  });
});

describe("doctor --config", () => {
  it("prints each setting with value, origin and meaning, and no secret", async () => {
    const env = { DATABASE_URL: "postgres://me:secret@db/docmill", DOCMILL_LEASE_MS: "60000" };
    const { code, stdout } = await runDocmill(["doctor", "--config", gatedConfig], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DATABASE_URL=postgres:\/\/me:\*\*\*@db\/docmill \(environment\)\n {4}PostgreSQL 15/m);
    expect(stdout).toMatch(/^DOCMILL_LEASE_MS=60000 \(environment\)$/m);
    expect(stdout).toMatch(/^DOCMILL_HEARTBEAT_MS=15000 \(default\)$/m);
    expect(stdout).not.toContain("secret");
  });
});

async function leftovers(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("docmill-doctor-"));
}
