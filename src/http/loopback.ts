/** Which addresses only this machine can reach. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether every address that `host` stands for is this machine's alone; of a name that leads nowhere nobody knows. */
export async function isLoopback(host: string): Promise<boolean> {
  const addresses = isIP(host)
    ? [host]
    : (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  return (
    addresses.length > 0 && addresses.every((address) => loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"))
  );
}
