/** The settings the embedded server runs with, as arguments of `postgres`; what is not here is PostgreSQL's default. */

import type { ServerOptions } from "./server.ts";
import { listenSettings, type ServerAddress } from "./server-address.ts";

export function serverArguments({ folder, durable, settings }: ServerOptions, address: ServerAddress): string[] {
  const all = { ...ownSettings, ...durability(durable), ...settings, ...listenSettings(address) };
  return ["-D", folder.cluster, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

const ownSettings: Record<string, string> = {
  max_connections: "200",
  shared_buffers: "128MB",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_line_prefix: "%m [%p] ",
  // A line every five minutes for ever, in a file that is only rotated when the server starts.
  log_checkpoints: "off",
  // Compiling costs more than it saves on statements that take milliseconds.
  jit: "off",
};

function durability(durable: boolean): Record<string, string> {
  const switched = durable ? "on" : "off";
  return {
    fsync: switched,
    synchronous_commit: switched,
    full_page_writes: switched,
    // After a crash everything is synced before recovery: file by file that takes seconds, by file system a moment.
    ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {}),
  };
}
