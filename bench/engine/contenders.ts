/** All contenders by name; a peer's adapter is loaded only when it runs, since its package may not be installed. */
import type { Contender } from "./contender.ts";

const adapters: Record<string, () => Promise<Contender>> = {
  docmill: async () => (await import("./contenders/docmill.ts")).docmill,
  floor: async () => (await import("./contenders/floor.ts")).floor,
};

export function loadContender(name: string): Promise<Contender> {
  const load = adapters[name];
  if (!load) throw new TypeError(`there is no contender ${name}`);
  return load();
}
