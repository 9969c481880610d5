/** Keeps the server off the network while it has no keys: whoever reaches it may do everything. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { DocmillError } from "../errors.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Throws OPEN_BIND_REFUSED unless every address that `host` stands for is this machine only. */
export async function refuseOpenBind(host: string): Promise<void> {
  const addresses = isIP(host)
    ? [host]
    : (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  const closed =
    addresses.length > 0 &&
    addresses.every((address) => loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"));
  if (closed) return;
  throw new DocmillError(
    "OPEN_BIND_REFUSED",
    `Docmill does not bind to ${host}: this version has no API keys, so anyone who can reach that address could do everything. Use --host 127.0.0.1, and put a proxy that asks for a password in front of it.`,
  );
}
