/**
 * Every setting of Docmill: its name, meaning, default and what it may be. This is the only reader of the environment.
 * A flag wins over the environment, that over the config file, that over the default; each value knows where it came
 * from, and all wrong ones are reported at once.
 */
import { availableParallelism } from "node:os";
import { z } from "zod";
import { DocmillError } from "./errors.ts";

interface SettingFacts {
  env: string;
  meaning: string;
  /** What is shown as the default where it depends on something. */
  defaultText?: string;
  /** Its value, or the password in it, is never printed. */
  secret?: boolean;
}

const facts = z.registry<SettingFacts>();

const anHourMs = 3_600_000;
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** All settings with their defaults. The environment names are kept in one place: here. */
const settingsSchema = z.object({
  port: wholeNumber(0, 65_535)
    .default(3001)
    .register(facts, { env: "PORT", meaning: "Port of the HTTP server; 0 takes any free one." }),
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .register(facts, { env: "HOST", meaning: "Address the HTTP server binds to; a loopback address for now." }),
  dataDir: z.string().min(1).default("./data").register(facts, {
    env: "DOCMILL_DATA_DIR",
    meaning: "Folder for all data, relative to where Docmill is started; the embedded database is in it.",
  }),
  databaseUrl: postgresUrl().optional().register(facts, {
    env: "DATABASE_URL",
    meaning: "PostgreSQL 15 or newer to use instead of the embedded one; may be PgBouncer in transaction mode.",
    defaultText: "the embedded database",
    secret: true,
  }),
  directUrl: postgresUrl().optional().register(facts, {
    env: "DOCMILL_DIRECT_URL",
    meaning: "The same database without a pooler, for LISTEN, where DATABASE_URL is a pooler.",
    defaultText: "DATABASE_URL",
    secret: true,
  }),
  dbConnections: wholeNumber(2, 1_000).default(10).register(facts, {
    env: "DOCMILL_DB_CONNECTIONS",
    meaning: "Database connections a process may open for its work, besides 3 for heartbeats and notifications.",
  }),
  dbWaitMs: wholeNumber(0, anHourMs).default(30_000).register(facts, {
    env: "DOCMILL_DB_WAIT_MS",
    meaning: "How long a starting process waits for DATABASE_URL to answer before it gives up with exit code 3.",
  }),
  workers: yesOrNo().default(true).register(facts, {
    env: "DOCMILL_WORKERS",
    meaning: "Whether `serve` runs jobs itself; `false` or --no-workers leaves them to `docmill worker`.",
  }),
  concurrency: wholeNumber(1, 1_000)
    .default(() => availableParallelism())
    .register(facts, {
      env: "DOCMILL_CONCURRENCY",
      meaning: "Jobs that one process runs at the same time.",
      defaultText: "the number of cores",
    }),
  leaseMs: wholeNumber(1_000, 24 * anHourMs)
    .default(120_000)
    .register(facts, {
      env: "DOCMILL_LEASE_MS",
      meaning: "How long a worker that cannot be seen any more keeps its jobs before others take them.",
    }),
  heartbeatMs: wholeNumber(100, 8 * anHourMs)
    .optional()
    .register(facts, {
      env: "DOCMILL_HEARTBEAT_MS",
      meaning: "How often a worker renews its lease; a third of DOCMILL_LEASE_MS at most.",
      defaultText: "a quarter of DOCMILL_LEASE_MS",
    }),
  pollMs: wholeNumber(50, 60_000).default(2_000).register(facts, {
    env: "DOCMILL_POLL_MS",
    meaning: "How often a process looks for work and events that no notification told it of.",
  }),
  shutdownGraceMs: wholeNumber(0, anHourMs).default(30_000).register(facts, {
    env: "DOCMILL_SHUTDOWN_GRACE_MS",
    meaning: "How long running jobs may take to reach their next checkpoint after SIGTERM or Ctrl-C.",
  }),
  logLevel: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` })
    .default("info")
    .register(facts, {
      env: "DOCMILL_LOG_LEVEL",
      meaning: "Least important log line that is written; `debug` also shows where an error happened.",
    }),
  configFile: z.string().min(1).optional().register(facts, {
    env: "DOCMILL_CONFIG",
    meaning: "File with your pipelines (--config).",
    defaultText: "docmill.config.ts, .mts, .js or .mjs in the folder where Docmill is started, if there is one",
  }),
  server: httpUrl().optional().register(facts, {
    env: "DOCMILL_SERVER",
    meaning: "Server that run, status, watch, cancel and retry talk to.",
    defaultText: "http://127.0.0.1 at PORT",
  }),
});

type ParsedSettings = z.output<typeof settingsSchema>;
export type SettingName = keyof ParsedSettings;

/** The settings, complete: what has a computed default has it. */
export interface Settings extends ParsedSettings {
  heartbeatMs: number;
  server: string;
}

/** What a config file may set: everything but its own name, as plain values. */
export type FileSettings = Partial<Omit<z.input<typeof settingsSchema>, "configFile">>;

type Origin = "flag" | "environment" | "config file" | "default";

export interface Config {
  settings: Settings;
  origins: Record<SettingName, Origin>;
  /** Names in the environment that look like Docmill's and are none: misspelt, mostly. */
  unknownNames: string[];
}

export interface ConfigSources {
  /** As the command line gave them. */
  flags?: Partial<Record<SettingName, unknown>>;
  file?: Record<string, unknown>;
  environment?: Record<string, string | undefined>;
}

/** Reads all settings, or throws WRONG_SETTINGS with every one that is wrong. */
export function readConfig(sources: ConfigSources = {}): Config {
  const { problems, ...config } = inspectConfig(sources);
  if (problems.length > 0) throw wrongSettings(problems);
  return config;
}

/** Reads all settings for a report on them; those that are wrong are missing from `settings`. */
export function inspectConfig({ flags = {}, file = {}, environment = process.env }: ConfigSources = {}): Config & {
  problems: string[];
} {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const origins = {} as Record<SettingName, Origin>;
  for (const name of settingNames) {
    const [origin, given] = findValue(name, { flags, file, environment });
    origins[name] = origin;
    const parsed = settingsSchema.shape[name].safeParse(given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(describeProblem(name, origin, given, parsed.error));
  }
  for (const name of Object.keys(file)) {
    if (!isSettingName(name) || name === "configFile")
      problems.push(`${name} (config file): there is no such setting.`);
  }
  const settings = values as ParsedSettings;
  problems.push(...findContradictions(settings));

  const { port, leaseMs } = settings;
  return {
    settings: {
      ...settings,
      heartbeatMs: settings.heartbeatMs ?? Math.floor(leaseMs / 4),
      server: settings.server ?? `http://127.0.0.1:${port}`,
    },
    origins,
    unknownNames: Object.keys(environment).filter((name) => name.startsWith("DOCMILL_") && !envNames.has(name)),
    problems,
  };
}

/** The config file that a flag or the environment names; it is loaded before the rest can be read. */
export function namedConfigFile(
  flag?: string,
  environment: ConfigSources["environment"] = process.env,
): string | undefined {
  return flag ?? (environment[factsOf("configFile").env] || undefined);
}

/** Whether errors are to be shown with their stack trace, known even where the settings cannot be read. */
export function wantsStackTraces(environment: ConfigSources["environment"] = process.env): boolean {
  return ["debug", "trace"].includes(environment[factsOf("logLevel").env] ?? "");
}

export interface DescribedSetting {
  name: string;
  /** As it may be shown to anyone: passwords are masked. */
  value: string;
  origin: Origin;
  meaning: string;
}

export function describeConfig({ settings, origins }: Config): DescribedSetting[] {
  return settingNames.map((name) => {
    const { env, meaning, secret, defaultText } = factsOf(name);
    const value = settings[name];
    const shown = value === undefined ? `(${defaultText})` : secret ? maskPassword(String(value)) : String(value);
    return { name: env, value: shown, origin: origins[name], meaning };
  });
}

/** The settings as a table for the documentation: the same on every machine. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { env, meaning, defaultText } = factsOf(name);
    const fallback = defaultText ?? `\`${settingsSchema.shape[name].parse(undefined)}\``;
    return `| \`${env}\` | \`${name}\` | ${fallback} | ${meaning} |`;
  });
  return ["| name | in the config file | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

/** A database url without its password. */
export function maskPassword(url: string): string {
  return url.replace(/(:\/\/[^:/@]*:)[^@]*@/, "$1***@").replace(/([?&]password=)[^&]*/gi, "$1***");
}

const settingNames = Object.keys(settingsSchema.shape) as SettingName[];
const envNames = new Set(settingNames.map((name) => factsOf(name).env));

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsSchema.shape, name);
}

function factsOf(name: SettingName): SettingFacts {
  return facts.get(settingsSchema.shape[name]) as SettingFacts;
}

function findValue(name: SettingName, { flags, file, environment }: Required<ConfigSources>): [Origin, unknown] {
  if (flags[name] !== undefined) return ["flag", flags[name]];
  // An empty variable is how many tools leave one out.
  const fromEnvironment = environment[factsOf(name).env];
  if (fromEnvironment !== undefined && fromEnvironment.trim() !== "") return ["environment", fromEnvironment.trim()];
  if (file[name] !== undefined) return ["config file", file[name]];
  return ["default", undefined];
}

function findContradictions({ leaseMs, heartbeatMs, databaseUrl, directUrl }: Partial<ParsedSettings>): string[] {
  const problems: string[] = [];
  if (leaseMs !== undefined && heartbeatMs !== undefined && heartbeatMs * 3 > leaseMs) {
    problems.push(
      `DOCMILL_HEARTBEAT_MS: is ${heartbeatMs} and must be a third of DOCMILL_LEASE_MS (${leaseMs}) at most, so that two lost heartbeats cost no lease.`,
    );
  }
  if (directUrl !== undefined && databaseUrl === undefined) {
    problems.push("DOCMILL_DIRECT_URL: is of use only beside DATABASE_URL; set both or none.");
  }
  return problems;
}

function describeProblem(name: SettingName, origin: Origin, given: unknown, error: z.ZodError): string {
  const { env, secret } = factsOf(name);
  const where = origin === "flag" ? flagOf(name) : origin === "config file" ? `${name} (config file)` : env;
  const wanted = error.issues.map(({ message }) => message).join(", ");
  return `${where}: ${wanted}${secret ? "" : `, not ${JSON.stringify(given)}`}.`;
}

function flagOf(name: SettingName): string {
  return name === "configFile" ? "--config" : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function wrongSettings(problems: string[]): DocmillError {
  const count = problems.length === 1 ? "1 setting is wrong" : `${problems.length} settings are wrong`;
  const list = problems.map((problem) => `\n  ${problem}`).join("");
  return new DocmillError(
    "WRONG_SETTINGS",
    `${count}:${list}\nCorrect them and start again; docmill doctor --config explains every setting.`,
    {
      details: { problems },
    },
  );
}

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  const toNumber = (value: unknown) => (typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value);
  return z.preprocess(toNumber, z.int({ error }).min(min, { error }).max(max, { error }));
}

function yesOrNo() {
  const words: Record<string, boolean> = {
    true: true,
    yes: true,
    on: true,
    1: true,
    false: false,
    no: false,
    off: false,
    0: false,
  };
  const toBoolean = (value: unknown) => (typeof value === "string" ? (words[value.toLowerCase()] ?? value) : value);
  return z.preprocess(toBoolean, z.boolean({ error: "must be true or false" }));
}

function postgresUrl() {
  return z.string().refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
    error: "must be a url like postgres://user:password@host:5432/database",
  });
}

function httpUrl() {
  return z.url({ protocol: /^https?$/, error: "must be a url like http://127.0.0.1:3001" });
}
