/**
 * Decides whether a URL may be fetched, and to which addresses the connection goes. A name is resolved here, once; the
 * connection is made to exactly these addresses, so an answer that changes afterwards changes nothing.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { TerminalError } from "../errors.ts";
import { isPublicAddress, isPublicAnswer } from "./address-rules.ts";
import type { AllowList } from "./allow-list.ts";

interface ResolvedAddress {
  address: string;
  family: number;
}

export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface Target {
  url: URL;
  /** The name or address, without the brackets of IPv6. */
  host: string;
  port: number;
  addresses: readonly ResolvedAddress[];
}

export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

/** Parses what a person gave; throws INVALID_URL. */
export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new TerminalError("INVALID_URL", "This is not a valid URL.");
  return new URL(text, base?.href);
}

/** Throws URL_FORBIDDEN unless every address behind the URL may be fetched from. */
export async function resolveTarget(url: URL, allow: AllowList, resolve: ResolveHost): Promise<Target> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw urlForbidden("only http and https are fetched");
  }
  if (url.username || url.password) throw urlForbidden("it carries credentials");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const trusted = allow.allowsHost(host, port);
  const usualPort = port === 80 || port === 443;
  const family = isIP(host);

  const check = ({ address }: ResolvedAddress) => {
    if (trusted || allow.allowsAddress(address, port)) return;
    const isPublic = family ? isPublicAddress(address) : isPublicAnswer(address);
    if (!isPublic) throw urlForbidden("it leads to an address that is not public");
    if (!usualPort) throw urlForbidden("only the ports 80 and 443 are used");
  };
  const addresses = family ? [{ address: host, family }] : (await resolve(host)).map(withoutZone);
  for (const address of addresses) check(address);
  if (addresses.length === 0) {
    throw Object.assign(new Error("The name has no address."), { code: "ENOTFOUND" });
  }
  return { url, host, port, addresses };
}

export function urlForbidden(why: string): TerminalError {
  return new TerminalError("URL_FORBIDDEN", `This URL may not be fetched: ${why}.`);
}

/** fe80::1%eth0 names the same address as fe80::1. */
function withoutZone({ address, family }: ResolvedAddress): ResolvedAddress {
  return { address: address.replace(/%.*$/, ""), family };
}
