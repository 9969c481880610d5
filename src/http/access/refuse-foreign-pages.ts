/**
 * Refuses what another site's page has a visitor's browser send. It cannot read the answer, but would have had its effect:
 * a server on loopback is open to every page its user looks at, and even a search may have to be paid for. Programs send
 * no such headers and are not meant; a link that a person follows is theirs.
 */
import type { Context, HonoRequest, MiddlewareHandler, Next } from "hono";
import { DocmillError } from "../../errors.ts";
import { harmlessMethods, isGuarded } from "./needed-scope.ts";

export function refuseForeignPages(publicUrl: string | undefined): MiddlewareHandler {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  return async ({ req }: Context, next: Next) => {
    const mayMatter = !harmlessMethods.has(req.method) || (isGuarded(req.path) && !isFollowedLink(req));
    if (mayMatter && isForeign(req.header("sec-fetch-site"), req.header("origin"), req.header("host"))) {
      throw new DocmillError("FOREIGN_PAGE", "A page of another site may not use this server.");
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

function isFollowedLink(req: HonoRequest): boolean {
  return req.header("sec-fetch-mode") === "navigate";
}
