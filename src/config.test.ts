import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { settingsPage } from "../scripts/write-settings.ts";
import { describeConfig, inspectConfig, maskPassword, readConfig } from "./config.ts";
import type { DocmillError } from "./errors.ts";
import { facts, settingsSchema } from "./settings.ts";

describe("where a value comes from", () => {
  it("is the flag, then the environment, then the config file, then the default", () => {
    const sources = { flags: { port: "1" }, environment: { PORT: "2" }, file: { port: 3 } };
    expect(readConfig(sources)).toMatchObject({ settings: { port: 1 }, origins: { port: "flag" } });
    expect(readConfig({ ...sources, flags: {} })).toMatchObject({
      settings: { port: 2 },
      origins: { port: "environment" },
    });
    expect(readConfig({ file: sources.file, environment: {} })).toMatchObject({
      settings: { port: 3 },
      origins: { port: "config file" },
    });
    expect(readConfig({ environment: {} })).toMatchObject({ settings: { port: 3001 }, origins: { port: "default" } });
  });

  it("is not the environment when the variable is empty", () => {
    expect(readConfig({ environment: { PORT: "", DATABASE_URL: " " } }).origins).toMatchObject({
      port: "default",
      databaseUrl: "default",
    });
  });

  it("is told for every setting", () => {
    const described = describeConfig(readConfig({ environment: { HOST: "localhost" } }));
    expect(described).toContainEqual(
      expect.objectContaining({ env: "HOST", value: "localhost", origin: "environment" }),
    );
    expect(described).toContainEqual(
      expect.objectContaining({ env: "DOCMILL_MODEL", value: null, fallback: "none", origin: "default" }),
    );
    expect(described.every(({ meaning, origin }) => meaning.length > 0 && origin.length > 0)).toBe(true);
  });
});

describe("computed defaults", () => {
  it("follow what they are computed from", () => {
    const { settings } = readConfig({ environment: { DOCMILL_LEASE_MS: "8000", PORT: "4000" } });
    expect(settings).toMatchObject({ heartbeatMs: 2_000, server: "http://127.0.0.1:4000" });
  });
});

describe("wrong settings", () => {
  it("are listed all at once, each with where it is and what it should be", () => {
    const environment = {
      HOST: "localhost",
      DATABASE_URL: "mysql://root:secret@db/docmill",
      DOCMILL_LEASE_MS: "soon",
      DOCMILL_WORKERS: "maybe",
      DOCMILL_LOG_LEVEL: "loud",
    };
    const read = () => readConfig({ flags: { port: "80x", dataDir: "" }, environment, file: { prot: 1, pollMs: 1.5 } });
    expect(read).toThrowError(
      expect.objectContaining({
        code: "WRONG_SETTINGS",
        details: {
          problems: [
            expect.stringMatching(/^--port: .*0 to 65535, not "80x"/),
            expect.stringMatching(/^--data-dir: /),
            expect.stringMatching(/^DATABASE_URL: must be a url like/),
            expect.stringMatching(/^DOCMILL_WORKERS: must be true or false/),
            expect.stringMatching(/^DOCMILL_LEASE_MS: must be a whole number/),
            expect.stringMatching(/^pollMs \(config file\): must be a whole number/),
            expect.stringMatching(/^DOCMILL_LOG_LEVEL: must be one of trace, debug/),
            expect.stringMatching(/^prot \(config file\): there is no such setting/),
          ],
        },
      }),
    );
    expect(read).not.toThrowError(/secret/);
  });

  it("include those that contradict each other", () => {
    const environment = {
      DOCMILL_LEASE_MS: "9000",
      DOCMILL_HEARTBEAT_MS: "3001",
      DOCMILL_DIRECT_URL: "postgres://db/docmill",
    };
    expect(() => readConfig({ environment })).toThrowError(
      /2 settings are wrong:\n.*a third of.*\n.*beside DATABASE_URL/,
    );
    expect(
      readConfig({
        environment: { ...environment, DOCMILL_HEARTBEAT_MS: "3000", DATABASE_URL: "postgres://pool/docmill" },
      }),
    ).toBeTruthy();
  });

  it("do not include names Docmill does not know, which are only reported", () => {
    const config = readConfig({ environment: { DOCMILL_LEASE: "1", PATH: "/bin" } });
    expect(config.unknownNames).toEqual(["DOCMILL_LEASE"]);
  });
});

describe("settings that need each other", () => {
  const problemsOf = (environment: Record<string, string>): unknown => {
    try {
      readConfig({ environment });
    } catch (error) {
      return (error as DocmillError).details?.problems;
    }
    return [];
  };

  it("are reported together, each once", () => {
    const environment = {
      DOCMILL_STORAGE: "s3",
      DOCMILL_S3_SECRET_ACCESS_KEY: "hidden",
      DOCMILL_EXTRACTION: "azure",
      DOCMILL_OCR: "azure",
      DOCMILL_AZURE_DI_KEY: "hidden",
      DOCMILL_EMBEDDINGS: "openai",
      DOCMILL_MODEL: "any",
    };
    const problems = problemsOf(environment) as string[];
    expect(problems.map((problem) => problem.split(":", 1)[0])).toEqual([
      "DOCMILL_S3_BUCKET",
      "DOCMILL_S3_ACCESS_KEY_ID",
      "DOCMILL_AZURE_DI_ENDPOINT",
      "DOCMILL_EMBEDDINGS_KEY",
      "DOCMILL_MODEL_KEY",
    ]);
    expect(problems.join()).not.toContain("hidden");
  });

  it("need no key where another service is named", () => {
    const url = "http://127.0.0.1:11434/v1";
    const environment = { DOCMILL_EMBEDDINGS: "openai", DOCMILL_EMBEDDINGS_URL: url };
    expect(problemsOf({ ...environment, DOCMILL_MODEL: "any", DOCMILL_MODEL_URL: url })).toEqual([]);
  });
});

describe("urls and hosts", () => {
  it("of services carry no password, and the complaint does not repeat it", () => {
    const environment = { DOCMILL_MODEL_URL: "https://me:hidden@models.example/v1" };
    expect(() => readConfig({ environment })).toThrow("must not carry a user name or password");
    expect(() => readConfig({ environment })).not.toThrow("hidden");
  });

  it.each(["10.0.0.0/8", "intranet.example:8080", "::1", "[fd00::1]:8080", "fd12::/16", "10.1.2.3"])(
    "may be fetched from: %s",
    (entry) => {
      const { settings } = readConfig({ environment: { DOCMILL_FETCH_ALLOW: entry } });
      expect(settings.fetchAllow).toEqual([entry]);
    },
  );

  it.each(["10.0.0.0/33", "host/8", "http://host", "host:70000", "me@host"])(
    "are refused at the start: %s",
    (entry) => {
      expect(() => readConfig({ environment: { DOCMILL_FETCH_ALLOW: entry } })).toThrow("DOCMILL_FETCH_ALLOW");
    },
  );
});

describe("passwords", () => {
  it.each([
    ["postgres://me:top:secret@db/docmill", "postgres://me:***@db/docmill"],
    ["postgres://me:p%40ss@db:5432/docmill?sslmode=require", "postgres://me:***@db:5432/docmill?sslmode=require"],
    ["postgres://db/docmill?user=me&password=secret&host=/run", "postgres://db/docmill?user=me&password=***&host=/run"],
    ["postgres://me:p@ss@db/docmill", "postgres://me:***@db/docmill"],
    ["postgres://me@db/docmill", "postgres://me@db/docmill"],
  ])("of %s are masked", (url, masked) => {
    expect(maskPassword(url)).toBe(masked);
  });

  it("are masked where settings are shown", () => {
    const described = describeConfig(readConfig({ environment: { DATABASE_URL: "postgres://me:secret@db/docmill" } }));
    expect(JSON.stringify(described)).not.toContain("secret");
  });

  it.each(["?code=secret", "?a=1&sig=secret&b=2", "?API-Key=secret", "?access_token=secret"])(
    "in the query of an address are masked: %s",
    (query) => {
      const environment = { DOCMILL_MODEL_URL: `https://models.test/v1${query}` };
      const shown = describeConfig(readConfig({ environment })).find(({ env }) => env === "DOCMILL_MODEL_URL");
      expect(shown?.value).toContain("=***");
      expect(shown?.value).not.toContain("secret");
    },
  );

  it("and keys are masked in every setting that may have one", () => {
    const names = Object.keys(settingsSchema.shape) as (keyof typeof settingsSchema.shape)[];
    const secrets = names.filter((name) => facts.get(settingsSchema.shape[name])?.secret);
    expect(secrets.filter((name) => /key|secret|url|azureStorage|headers/i.test(name))).toEqual(secrets);
    const urls: Partial<Record<(typeof names)[number], string>> = {
      databaseUrl: "postgres://me:hush@db/docmill",
      directUrl: "postgresql://me:hush@db/docmill?password=hush&sslpassword=hush",
      smtpUrl: "smtps://hush@mail:465",
      webhookUrl: "https://hooks.test/services/hush",
      otlpHeaders: "authorization=hush",
    };
    const flags = Object.fromEntries(secrets.map((name) => [name, urls[name] ?? "hush"]));
    // Whatever else is needed beside them does not matter here.
    const described = describeConfig(inspectConfig({ flags, environment: {} }));
    expect(described.filter(({ value }) => value?.includes("***"))).toHaveLength(secrets.length);
    expect(JSON.stringify(described)).not.toContain("hush");
  });
});

it("docs/settings.md is what scripts/write-settings.ts writes", async () => {
  expect(await readFile(new URL("../docs/settings.md", import.meta.url), "utf8")).toBe(settingsPage());
});
