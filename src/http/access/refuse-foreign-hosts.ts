/**
 * Refuses requests for another host name than this server's. A server that asks for no keys is open to this machine only, and
 * a page of another site could else reach it by having its own name lead to 127.0.0.1 (DNS rebinding).
 */
import type { Context, MiddlewareHandler, Next } from "hono";
import { DocmillError } from "../../errors.ts";

const loopbackName = /^(localhost|[^/]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

export function refuseForeignHosts(publicUrl: string | undefined): MiddlewareHandler {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  return async ({ req }: Context, next: Next) => {
    // Of a program that sends none there is nothing to fear: a browser always does.
    const host = req.header("host") ?? "localhost";
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
    if (!loopbackName.test(name) && name !== own) {
      throw new DocmillError(
        "WRONG_HOST",
        "This server answers to the names of this machine only. Use http://127.0.0.1 or http://localhost, or, behind a proxy, set DOCMILL_PUBLIC_URL to the name it is reached by and DOCMILL_REQUIRE_KEYS=true.",
      );
    }
    await next();
  };
}
