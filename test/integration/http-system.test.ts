/** `/api/system`: what a server is, who does what for it, and its settings, told without a single secret. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SystemInfo } from "../../src/contract/system.ts";
import { version } from "../../src/version.ts";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  [folder, database] = await Promise.all([makeTemporaryFolder(), createTestDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await removeTemporaryFolder(folder);
});

/** What a server with these settings says of itself, as it came over the wire. */
async function askServer(env: Record<string, string>): Promise<{ text: string; info: SystemInfo }> {
  const { server, url } = await startServe([], { env });
  try {
    const text = await (await fetch(`${url}/api/system`)).text();
    const described = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
    expect(described.paths["/api/system"]).toHaveProperty("get");
    const info = SystemInfo.parse(JSON.parse(text));
    expect(info).toEqual(JSON.parse(text));
    return { text, info };
  } finally {
    server.kill("SIGTERM");
    await server.ended;
  }
}

const quiet = { PORT: "0", DOCMILL_WORKERS: "false" };
const providersOf = ({ providers }: SystemInfo) => Object.fromEntries(providers.map(({ use, ...rest }) => [use, rest]));

it("a server that was only started says who does what, and what each other would add", async () => {
  const before = Date.now();
  const dataDir = join(folder, "data");
  const env = { ...quiet, DATABASE_URL: database.url, DOCMILL_DATA_DIR: dataDir, DOCMILL_LEASE_MS: "60000" };
  const { info } = await askServer(env);
  expect(info.version).toBe(version);
  expect(Date.parse(info.startedAt)).toBeGreaterThanOrEqual(before - 1_000);
  const providers = providersOf(info);
  expect(providers).toMatchObject({
    database: { name: expect.stringMatching(/^PostgreSQL 18\.\d/), hint: null },
    storage: { name: expect.stringContaining(folder), hint: expect.stringContaining("DOCMILL_STORAGE") },
    search: { name: "exact search", hint: expect.stringContaining("pgvector") },
    ocr: { name: expect.stringMatching(/tesseract/), hint: expect.stringContaining("DOCMILL_OCR") },
    extraction: { name: "local", hint: expect.stringContaining("DOCMILL_AZURE_DI_ENDPOINT") },
    embeddings: { name: expect.stringMatching(/^local/), hint: expect.stringContaining("DOCMILL_EMBEDDINGS") },
    model: { name: null, hint: expect.stringContaining("DOCMILL_MODEL would add") },
    mail: { name: null, hint: expect.stringContaining("DOCMILL_SMTP_URL") },
    webhook: { name: null, hint: expect.stringContaining("DOCMILL_WEBHOOK_URL") },
  });
  // Each setting as doctor prints it, and the hints in doctor's words.
  const [printed, checked] = await Promise.all([
    runDocmill(["doctor", "--config"], { env }),
    runDocmill(["doctor"], { env }),
  ]);
  for (const { env: name, value, origin, meaning } of info.settings) {
    // What is not set is printed with what holds instead.
    if (value === null) expect(printed.stdout).toMatch(new RegExp(`^${name}=\\(.*\\) \\(default\\)$`, "m"));
    else expect(printed.stdout).toContain(`${name}=${value} (${origin})\n    ${meaning}\n`);
  }
  expect(info.settings).toContainEqual(
    expect.objectContaining({ env: "DOCMILL_LEASE_MS", value: "60000", origin: "environment" }),
  );
  for (const use of ["search", "extraction", "embeddings", "model", "mail"]) {
    expect(checked.stdout).toContain(`; ${providers[use]?.hint}\n`);
  }
});

it("a server with services of all kinds names them, and none of their secrets", async () => {
  const { text, info } = await askServer({
    ...quiet,
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: join(folder, "other"),
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_KEY: "hush-embeddings",
    DOCMILL_MODEL: "small",
    DOCMILL_MODEL_KEY: "hush-model",
    DOCMILL_EXTRACTION: "azure",
    DOCMILL_AZURE_DI_ENDPOINT: "https://reader.test/",
    DOCMILL_AZURE_DI_KEY: "hush-reader",
    DOCMILL_SMTP_URL: "smtp://hush-mail@mail.test:587",
    DOCMILL_MAIL_FROM: "Docmill <docmill@example.org>",
    DOCMILL_WEBHOOK_URL: "https://hooks.test/services/hush-path?token=hush-hook",
    DOCMILL_WEBHOOK_SECRET: `whsec_${Buffer.from("hush-signature").toString("base64")}`,
  });
  expect(text).not.toContain("hush");
  expect(text).not.toContain(Buffer.from("hush-signature").toString("base64"));
  expect(providersOf(info)).toMatchObject({
    extraction: { name: "azure prebuilt-layout", hint: null },
    embeddings: { name: "openai (openai/text-embedding-3-small/1536)", hint: null },
    model: { name: "openai (small)", hint: null },
    mail: { name: "Docmill <docmill@example.org>", hint: null },
    webhook: { name: "https://hooks.test", hint: null },
  });
  expect(info.settings).toContainEqual(expect.objectContaining({ env: "DOCMILL_MODEL_KEY", value: "***" }));
});
