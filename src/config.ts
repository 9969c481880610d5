/**
 * Reads the settings. This is the only reader of the environment. A flag wins over the environment, that over the config
 * file, that over the default; each value knows where it came from, and all wrong ones are reported at once.
 */
import type { z } from "zod";
import { DocmillError } from "./errors.ts";
import { facts, type SettingFacts, settingsSchema } from "./settings.ts";

type ParsedSettings = z.output<typeof settingsSchema>;
export type SettingName = keyof ParsedSettings;

/** The settings, complete: what has a computed default has it. */
export interface Settings extends ParsedSettings {
  heartbeatMs: number;
  server: string;
  publicUrl: string;
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

  const { host, port, leaseMs } = settings;
  return {
    settings: {
      ...settings,
      heartbeatMs: settings.heartbeatMs ?? Math.floor(leaseMs / 4),
      server: settings.server ?? `http://127.0.0.1:${port}`,
      publicUrl: (settings.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, ""),
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
  env: string;
  /** As it may be shown to anyone: passwords are masked. Null where it is not set. */
  value: string | null;
  /** What holds where it is not set. */
  fallback: string | undefined;
  origin: Origin;
  meaning: string;
}

export function describeConfig({ settings, origins }: Config): DescribedSetting[] {
  return settingNames.map((name) => {
    const { env, meaning, secret, defaultText } = factsOf(name);
    const value = settings[name];
    const shown = value === undefined ? null : hide(String(value), secret);
    return { env, value: shown, fallback: defaultText, origin: origins[name], meaning };
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

function hide(value: string, secret: SettingFacts["secret"]): string {
  switch (secret) {
    case undefined:
      return maskQuery(value);
    case "password":
      // A user name without a password is a key, most likely.
      return maskQuery(maskPassword(value).replace(/(:\/\/)[^:/@]+@/, "$1***@"), ofConnections);
    case "path":
      return URL.canParse(value) ? `${new URL(value).origin}/***` : "***";
    case "whole":
      return "***";
  }
}

/** What addresses of databases say in their query, and nobody hides. */
const ofConnections = /^(ssl\w*|application_name|connect_timeout)$/;

/** An address may carry a key in its query, under any name. */
function maskQuery(value: string, harmless?: RegExp): string {
  return value.replace(/([?&])([^=&#]*)=[^&#]*/g, (whole, mark: string, name: string) =>
    harmless?.test(name) ? whole : `${mark}${name}=***`,
  );
}

/** A database url without its password. */
export function maskPassword(url: string): string {
  // Greedy: a password may have an @ of its own.
  return url.replace(/(:\/\/[^:/@]*:)\S*@/, "$1***@").replace(/([?&][a-z]*password=)[^&]*/gi, "$1***");
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

function findContradictions(settings: Partial<ParsedSettings>): string[] {
  const { leaseMs, heartbeatMs, databaseUrl, directUrl } = settings;
  const problems: string[] = findMissing(settings);
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

/** What a choice needs besides itself. */
function findMissing(settings: Partial<ParsedSettings>): string[] {
  const needs: [boolean, SettingName, string][] = [
    [settings.storage === "s3", "s3Bucket", "DOCMILL_STORAGE is s3"],
    [settings.storage === "azure", "azureStorage", "DOCMILL_STORAGE is azure"],
    [settings.s3AccessKeyId !== undefined, "s3SecretAccessKey", "DOCMILL_S3_ACCESS_KEY_ID is set"],
    [settings.s3SecretAccessKey !== undefined, "s3AccessKeyId", "DOCMILL_S3_SECRET_ACCESS_KEY is set"],
    [settings.extraction === "azure", "azureDiEndpoint", "DOCMILL_EXTRACTION is azure"],
    [settings.extraction === "azure", "azureDiKey", "DOCMILL_EXTRACTION is azure"],
    [settings.ocr === "azure", "azureDiEndpoint", "DOCMILL_OCR is azure"],
    [settings.ocr === "azure", "azureDiKey", "DOCMILL_OCR is azure"],
    [settings.azureDiEndpoint !== undefined, "azureDiKey", "DOCMILL_AZURE_DI_ENDPOINT is set"],
    [settings.azureDiKey !== undefined, "azureDiEndpoint", "DOCMILL_AZURE_DI_KEY is set"],
    [settings.ocr === "model", "model", "DOCMILL_OCR is model"],
    [settings.smtpUrl !== undefined, "mailFrom", "DOCMILL_SMTP_URL is set"],
    [settings.webhookUrl !== undefined, "webhookSecret", "DOCMILL_WEBHOOK_URL is set"],
    [
      settings.embeddings === "openai" && settings.embeddingsUrl === undefined,
      "embeddingsKey",
      "DOCMILL_EMBEDDINGS is openai and DOCMILL_EMBEDDINGS_URL names no other service",
    ],
    [
      settings.model !== undefined && settings.modelProvider === "openai" && settings.modelUrl === undefined,
      "modelKey",
      "DOCMILL_MODEL is set and DOCMILL_MODEL_URL names no other service",
    ],
    [settings.embeddings === "azure", "embeddingsUrl", "DOCMILL_EMBEDDINGS is azure"],
    [settings.embeddings === "azure", "embeddingsKey", "DOCMILL_EMBEDDINGS is azure"],
    [settings.model !== undefined && settings.modelProvider === "azure", "modelUrl", "DOCMILL_MODEL_PROVIDER is azure"],
    [settings.model !== undefined && settings.modelProvider === "azure", "modelKey", "DOCMILL_MODEL_PROVIDER is azure"],
  ];
  return needs
    .filter(([needed, name]) => needed && settings[name] === undefined)
    .filter(([, name], index, missing) => missing.findIndex(([, other]) => other === name) === index)
    .map(([, name, reason]) => `${factsOf(name).env}: is missing, and needed because ${reason}.`);
}

function describeProblem(name: SettingName, origin: Origin, given: unknown, error: z.ZodError): string {
  const { env, secret } = factsOf(name);
  const where = origin === "flag" ? flagOf(name) : origin === "config file" ? `${name} (config file)` : env;
  const wanted = error.issues.map(({ message }) => message).join(", ");
  return `${where}: ${wanted}${secret ? "" : `, not ${hide(JSON.stringify(given) ?? "", "password")}`}.`;
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
