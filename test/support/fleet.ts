/**
 * A fleet as it runs on many machines: `docmill serve` and `docmill worker` processes that share a database and a storage
 * and nothing else, behind a balancer that passes a connection on to whichever server takes it.
 */
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type DocmillProcess, spawnDocmill } from "./docmill-process.ts";

interface Member {
  readonly name: string;
  /** What it may write to: an empty folder of its own. */
  readonly folder: string;
  readonly process: DocmillProcess;
  /** Of a server. */
  readonly url: string | undefined;
}

export interface Fleet {
  /** The balancer. */
  readonly url: string;
  readonly members: readonly Member[];
  /** Servers that are up, by their own addresses. */
  servers(): string[];
  /** Ends a member with a signal, and puts a new one in its place. */
  replace(name: string, signal: NodeJS.Signals): Promise<void>;
  /** Stops all, as one stops a process; answers their exit codes. */
  stop(): Promise<(number | null)[]>;
  close(): Promise<void>;
}

export interface FleetOptions {
  folder: string;
  env: Record<string, string>;
  /** Arguments of `docmill` by the members' names. */
  commands: Record<string, readonly string[]>;
}

/** Starts all members at the same moment. */
export async function startFleet({ folder, env, commands }: FleetOptions): Promise<Fleet> {
  const members = new Map<string, Member>();
  const everyone: DocmillProcess[] = [];

  const start = async (name: string): Promise<void> => {
    const own = join(folder, `${name}-${everyone.length}`);
    const places = { DOCMILL_DATA_DIR: join(own, "data"), TEMP_FILE_DIR: join(own, "temp") };
    await mkdir(join(own, "temp"), { recursive: true });
    const child = spawnDocmill(commands[name] as readonly string[], { env: { ...env, ...places }, cwd: own });
    everyone.push(child);
    const [, url] = await child.says(commands[name]?.[0] === "serve" ? /ready at (\S+)/ : /is ready/);
    members.set(name, { name, folder: own, process: child, url });
  };

  const servers = () => [...members.values()].flatMap(({ url }) => url ?? []);
  const balancer = await startBalancer(servers);
  const end = async (signal: NodeJS.Signals) => {
    for (const child of everyone) child.kill(signal);
    return (await Promise.all(everyone.map(({ ended }) => ended))).map(({ code }) => code);
  };
  const fleet: Fleet = {
    url: balancer.url,
    get members() {
      return [...members.values()];
    },
    servers,
    async replace(name, signal) {
      const { process: child } = members.get(name) as Member;
      child.kill(signal);
      await child.ended;
      members.delete(name);
      await start(name);
    },
    stop: () => end("SIGTERM"),
    async close() {
      await end("SIGKILL");
      await balancer.close();
    },
  };
  try {
    await Promise.all(Object.keys(commands).map(start));
  } catch (error) {
    await fleet.close();
    throw error;
  }
  return fleet;
}

/** In turn, and to the next one if a server does not take the connection. */
async function startBalancer(servers: () => string[]) {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on("error", () => undefined).on("close", () => open.delete(client));
    const urls = servers();
    const first = turn++;
    const tryNext = (attempt: number) => {
      const url = urls[(first + attempt) % urls.length];
      if (attempt === urls.length || url === undefined) return void client.destroy();
      const { hostname, port } = new URL(url);
      const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      open.add(upstream);
      upstream.on("close", () => open.delete(upstream));
      upstream.once("error", () => tryNext(attempt + 1));
      upstream.once("connect", () => {
        upstream.removeAllListeners("error").on("error", () => client.destroy());
        client.on("error", () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
    };
    tryNext(0);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
