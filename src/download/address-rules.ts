/**
 * Which addresses of the internet protocol are public. What is not known to be public is forbidden: IPv6 outside the block
 * that is handed out, and in both families everything with a special purpose (RFC 6890 and its successors).
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";

const forbiddenV4: readonly string[] = [
  "0.0.0.0/8", // this network, unspecified
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind the carrier's NAT; also metadata at 100.100.100.200
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // public in form, but the host of every Azure machine: metadata
  "169.254.0.0/16", // link-local; metadata at 169.254.169.254
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; metadata at 192.0.0.192
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
];

/** Loopback, mapped and compatible IPv4, unique-local, link-local, site-local and multicast lie outside. */
const unicastV6 = "2000::/3";

const forbiddenV6: readonly string[] = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address in disguise
  "3fff::/20", // documentation
];

/** Where DNS64 puts the IPv4 hosts of the internet for networks that have IPv6 only. */
const translatedV4 = toBlockList(["64:ff9b::/96"]);

const forbidden = toBlockList([...forbiddenV4, ...forbiddenV6]);
const unicast = toBlockList([unicastV6]);

/** Whether an address that a URL names directly is public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !forbidden.check(address, "ipv4");
  return isIPv6(address) && unicast.check(address, "ipv6") && !forbidden.check(address, "ipv6");
}

/** The same for an address that a name was resolved to, which may be an IPv4 address translated by the network. */
export function isPublicAnswer(address: string): boolean {
  if (isIPv6(address) && translatedV4.check(address, "ipv6")) return isPublicAddress(lastFourBytes(address));
  return isPublicAddress(address);
}

/** Ranges such as 10.0.0.0/8; throws a RangeError for what is none. */
export function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (!/^\d{1,3}$/.test(bits) || !(isIPv4(address) || isIPv6(address))) throw new RangeError(`no range: ${range}`);
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The IPv4 address at the end of an IPv6 one. */
function lastFourBytes(address: string): string {
  // The URL parser writes every form the same way, as groups of hexadecimal digits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":");
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || "0", 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
