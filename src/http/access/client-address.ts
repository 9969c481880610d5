/** Which address a request comes from: the connection's, or what a proxy that is trusted says of it. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

export type ClientAddress = (incoming: IncomingMessage) => string;

/** `trusted` are addresses and ranges of one's own proxies; nobody else's X-Forwarded-For is believed. */
export function readClientAddress(trusted: readonly string[] = []): ClientAddress {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = "", bits] = entry.split("/");
    const family = familyOf(address);
    proxies.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? "");
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",").map(plain);
    // Each proxy adds the one it heard from at the end: going back, the first that is not ours is the client.
    while (isIP(address) && proxies.check(address, familyOf(address))) {
      const before = forwarded.pop();
      if (before === undefined || !isIP(before)) break;
      address = before;
    }
    return address;
  };
}

/** An IPv4 address is the same whether it came over a socket for both or not, and some proxies add the port. */
function plain(address: string): string {
  const bare = address
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  return bare.replace(/^::ffff:(?=\d+\.)/i, "");
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
