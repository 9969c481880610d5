/**
 * What an operator exempts from the guard (DOCMILL_FETCH_ALLOW): `intranet.example`, `intranet.example:8080`, `10.1.2.3`,
 * `[::1]:8080` or `10.0.0.0/8`. An entry with a port is for that port only; one without is for all.
 */
import { type BlockList, isIP } from "node:net";
import { TerminalError } from "../errors.ts";
import { toBlockList } from "./address-rules.ts";

export interface AllowList {
  /** Whether everything behind this name is exempt, wherever it leads. */
  allowsHost(host: string, port: number): boolean;
  allowsAddress(address: string, port: number): boolean;
}

interface AddressRule {
  range: BlockList;
  port: number | undefined;
}

export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const rules: AddressRule[] = [];
  for (const entry of entries) {
    const { host, port } = parseEntry(entry.trim());
    const bits = isIP(host) === 4 ? "/32" : isIP(host) === 6 ? "/128" : "";
    if (bits || host.includes("/")) rules.push({ range: toRange(host + bits, entry), port });
    else hosts.add(port === undefined ? host : `${host}:${port}`);
  }
  return {
    allowsHost(host, port) {
      const bare = withoutRoot(host);
      return hosts.has(bare) || hosts.has(`${bare}:${port}`);
    },
    allowsAddress(address, port) {
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      return rules.some((rule) => (rule.port ?? port) === port && rule.range.check(address, family));
    },
  };
}

function parseEntry(entry: string): { host: string; port: number | undefined } {
  if (entry.includes("/") || isIP(entry)) return { host: entry, port: undefined };
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const host = bracketed ?? name;
  const port = digits === undefined ? undefined : Number(digits);
  if (!host || (bracketed && isIP(bracketed) !== 6) || (port !== undefined && (port < 1 || port > 65_535))) {
    throw invalidEntry(entry);
  }
  return { host: bracketed ?? toAscii(host, entry), port };
}

/** The form that a URL gives to the same name. */
function toAscii(host: string, entry: string): string {
  if (!URL.canParse(`http://${host}`)) throw invalidEntry(entry);
  return withoutRoot(new URL(`http://${host}`).hostname);
}

function toRange(range: string, entry: string): BlockList {
  try {
    return toBlockList([range]);
  } catch (error) {
    throw invalidEntry(entry, error);
  }
}

function withoutRoot(host: string): string {
  return host.replace(/\.$/, "");
}

function invalidEntry(entry: string, cause?: unknown): TerminalError {
  return new TerminalError(
    "INVALID_ALLOW_ENTRY",
    `${JSON.stringify(entry)} is neither a host, a host:port nor a range such as 10.0.0.0/8.`,
    { cause },
  );
}
