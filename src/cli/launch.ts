/** What `serve`, `worker`, `migrate` and `doctor` share: settings from everywhere, what the config file adds, a logger. */
import { type Config, namedConfigFile, readConfig, type SettingName, type Settings } from "../config.ts";
import { type ConfigFile, loadConfigFile } from "../config-file.ts";
import { createLogger, type Logger } from "../logger.ts";

export type Flags = Partial<Record<SettingName | "config", unknown>>;

export interface Launch extends Pick<ConfigFile, "pipelines" | "providers" | "afterDocument"> {
  config: Config;
  settings: Settings;
  /** Undefined where there is none. */
  configFile: string | undefined;
  logger: Logger;
}

export async function prepareLaunch({ config: named, ...flags }: Flags): Promise<Launch> {
  const file = await loadConfigFile(namedConfigFile(named as string | undefined));
  const config = readConfig({ flags: { ...flags, configFile: named }, file: file.settings });
  const logger = createLogger({ level: config.settings.logLevel });
  if (config.unknownNames.length > 0) {
    logger.warn({ names: config.unknownNames }, "names in the environment that are no settings of Docmill");
  }
  const { path: configFile, pipelines, providers, afterDocument } = file;
  return { config, settings: config.settings, pipelines, providers, afterDocument, configFile, logger };
}
