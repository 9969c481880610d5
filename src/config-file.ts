/**
 * The user's `docmill.config.ts`: pipelines and providers of their own, and settings. It is loaded as a module, so its
 * author may compute whatever they like in it; what goes wrong on the way is said in one line that names the file.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileSettings } from "./config.ts";
import { DocmillError } from "./errors.ts";
import { type AnyPipeline, Pipeline } from "./jobs/pipeline.ts";
import type { AfterDocument } from "./pipelines/documents/pipeline.ts";
import { findProviderMistake } from "./providers/own/check-providers.ts";
import type { Providers } from "./providers/own/own-providers.ts";

/** What a config file exports by default. */
export interface DocmillConfig {
  /** The kinds of work this server and its workers can do, whatever their input: what `pipeline(…)` made. */
  pipelines?: readonly Pick<AnyPipeline, "kind" | "stages">[];
  /** Who does OCR, embeddings, extraction and answers questions, in place of what the settings name. */
  providers?: Providers;
  /**
   * Jobs to create whenever a document has become Ready, also when it was read again. It runs in a job of its own
   * (`document_ready`): what it throws fails that job and never the document.
   */
  afterDocument?: AfterDocument;
  /** Like the environment, which wins over these. */
  settings?: FileSettings;
}

export interface ConfigFile {
  /** Undefined where there is none. */
  path: string | undefined;
  pipelines: readonly AnyPipeline[];
  providers: Providers;
  afterDocument: AfterDocument | undefined;
  settings: Record<string, unknown>;
}

export const noConfigFile: ConfigFile = {
  path: undefined,
  pipelines: [],
  providers: {},
  afterDocument: undefined,
  settings: {},
};

const usualNames = ["docmill.config.ts", "docmill.config.mts", "docmill.config.js", "docmill.config.mjs"];

/**
 * Gives a config file its types.
 *
 * @example
 * // docmill.config.ts
 * import { docmill } from "docmill";
 * import { thumbnails } from "./thumbnails.ts";
 * export default docmill({ pipelines: [thumbnails] });
 */
export function docmill(config: DocmillConfig): DocmillConfig {
  return config;
}

/** Loads the named file, or the one with a usual name in the current folder if there is one. */
export async function loadConfigFile(named: string | undefined): Promise<ConfigFile> {
  const found = named ?? usualNames.find((name) => existsSync(name));
  if (found === undefined) return noConfigFile;
  const path = resolve(found);
  if (!existsSync(path)) {
    throw new DocmillError(
      "CONFIG_FILE_MISSING",
      `There is no config file ${path}. Correct --config or DOCMILL_CONFIG.`,
    );
  }
  return readExport(path, await importFile(path));
}

async function importFile(path: string): Promise<{ default?: unknown }> {
  useThisDocmill();
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}`.split("\n", 1)[0] : String(error);
    throw new DocmillError(
      "CONFIG_FILE_BROKEN",
      `The config file ${path} cannot be loaded. ${reason}${placeOf(error, path)}`,
      {
        cause: error,
      },
    );
  }
}

let usesThisDocmill = false;

/**
 * Makes `docmill` in a config file mean the copy that is running. Another one, from the user's own node_modules, would
 * bring error classes that this one does not recognise; and a global install works without any.
 */
function useThisDocmill(): void {
  if (usesThisDocmill) return;
  usesThisDocmill = true;
  const library = new URL(import.meta.url.endsWith(".ts") ? "./index.ts" : "./index.js", import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === "docmill" ? library : specifier, context),
  });
}

/** Where in the file it is: a stack trace names it as a path or as a url, a syntax error only above the trace. */
function placeOf(error: unknown, path: string): string {
  const trace = (error instanceof Error && error.stack) || "";
  for (const name of [path, pathToFileURL(path).href]) {
    const [, after = ""] = trace.split(`${name}:`, 2);
    const line = Number.parseInt(after, 10);
    if (line > 0) return ` (line ${line})`;
  }
  return "";
}

function readExport(path: string, loaded: { default?: unknown }): ConfigFile {
  const wrong = (what: string) =>
    new DocmillError(
      "CONFIG_FILE_WRONG",
      `The config file ${path} ${what}. It should end like this: export default docmill({ pipelines: [yours] });`,
    );
  const config = loaded.default;
  if (config === undefined) throw wrong("has no default export");
  if (!isRecord(config)) throw wrong("exports something else than an object");
  const { pipelines = [], providers = {}, afterDocument, settings = {}, ...rest } = config;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrong(`exports "${unknown}", which means nothing to Docmill`);
  if (!Array.isArray(pipelines)) throw wrong('exports "pipelines" that are not a list');
  const stranger = pipelines.findIndex((one) => !(one instanceof Pipeline));
  if (stranger >= 0) throw wrong(`exports something as pipeline ${stranger + 1} that pipeline(…) did not make`);
  const mistake = findProviderMistake(providers);
  if (mistake !== undefined) throw wrong(mistake);
  if (afterDocument !== undefined && typeof afterDocument !== "function")
    throw wrong('exports "afterDocument" that is no function');
  if (!isRecord(settings)) throw wrong('exports "settings" that are not an object');
  const hook = afterDocument as AfterDocument | undefined;
  return { path, pipelines, providers: providers as Providers, afterDocument: hook, settings };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
