/** All contenders by name; a peer's adapter is loaded only when it runs, since its package may not be installed. */
import type { Contender } from "./contender.ts";

const adapters: Record<string, () => Promise<Contender>> = {
  "@dbos-inc/dbos-sdk": async () => (await import("./contenders/dbos.ts")).dbos,
  bullmq: async () => (await import("./contenders/bullmq.ts")).bullmq,
  docmill: async () => (await import("./contenders/docmill.ts")).docmill,
  floor: async () => (await import("./contenders/floor.ts")).floor,
  "graphile-worker": async () => (await import("./contenders/graphile-worker.ts")).graphileWorker,
  "pg-boss": async () => (await import("./contenders/pg-boss.ts")).pgBoss,
};

export function loadContender(name: string): Promise<Contender> {
  const load = adapters[name];
  if (!load) throw new TypeError(`there is no contender ${name}`);
  return load();
}
