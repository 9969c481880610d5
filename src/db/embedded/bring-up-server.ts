/** Makes the cluster's server run, whether by adopting one or by starting one, even if one turns up in between. */
import { setTimeout as delay } from "node:timers/promises";
import { adoptServer } from "./adopt-server.ts";
import { launchServer, stillRunning } from "./launch-server.ts";
import type { Server, ServerOptions } from "./server.ts";
import type { Listen, ServerAddress } from "./server-address.ts";

const tries = 100;
const lookEveryMs = 20;

/** Whoever calls this holds the owner lock. */
export async function bringUpServer(
  options: ServerOptions,
  where: Listen | ServerAddress,
  signal?: AbortSignal,
): Promise<{ server: Server; adopted: boolean }> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const running = await adoptServer(options, where, signal);
    if (running) return { server: running, adopted: true };
    const launched = await launchServer(options, where, signal);
    if (launched) return { server: launched, adopted: false };
    await delay(lookEveryMs, undefined, { signal });
  }
  throw stillRunning(0, options.folder.cluster);
}
