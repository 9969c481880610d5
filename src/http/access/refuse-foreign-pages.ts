/**
 * Refuses what another site's page has a visitor's browser send. It cannot read the answer, but would have had its effect:
 * a server on loopback is open to every page its user looks at. Programs send no such headers and are not meant.
 */
import type { Context, MiddlewareHandler, Next } from "hono";
import { DocmillError } from "../../errors.ts";
import { harmlessMethods } from "./needed-scope.ts";

export function refuseForeignPages(publicUrl: string | undefined): MiddlewareHandler {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  return async ({ req }: Context, next: Next) => {
    if (
      !harmlessMethods.has(req.method) &&
      isForeign(req.header("sec-fetch-site"), req.header("origin"), req.header("host"))
    ) {
      throw new DocmillError("FOREIGN_PAGE", "A page of another site may not change anything here.");
    }
    await next();
  };

  function isForeign(site: string | undefined, origin: string | undefined, host: string | undefined): boolean {
    if (site !== undefined) return site === "cross-site" || site === "same-site";
    // Browsers name the site only on https and on this machine; of the others the page's origin tells.
    if (origin === undefined) return false;
    const from = URL.canParse(origin) ? new URL(origin).host : undefined;
    return from === undefined || (from !== host && from !== publicHost);
  }
}
