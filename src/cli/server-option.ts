/** Which server to talk to, for every command that needs one. */
import { Option } from "commander";
import { namedConfigFile, readConfig } from "../config.ts";
import { loadConfigFile } from "../config-file.ts";
import { connectServer, type ServerClient } from "./server-client.ts";

export interface ServerFlag {
  server?: string;
}

export function serverOption(): Option {
  return new Option("--server <url>", "the server to talk to (default: DOCMILL_SERVER, or http://127.0.0.1 at PORT)");
}

export async function findServer({ server }: ServerFlag): Promise<ServerClient> {
  const named = readConfig({ flags: { server } });
  if (named.origins.server !== "default") return connectServer(named.settings.server, named.settings.apiKey);
  // Nobody says where, so it is where `serve` would be if it were started here: the config file may set the port.
  const file = await loadConfigFile(namedConfigFile());
  const { settings } = readConfig({ file: file.settings });
  return connectServer(settings.server, settings.apiKey);
}
