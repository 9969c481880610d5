/**
 * Refuses what another site's page has a visitor's browser send. It cannot read the answer, but would have had its effect:
 * a server on loopback is open to every page its user looks at. Programs send no such header and are not meant.
 */
import type { Context, Next } from "hono";
import { DocmillError } from "../errors.ts";

const harmless = new Set(["GET", "HEAD", "OPTIONS"]);

export async function refuseForeignPages({ req }: Context, next: Next): Promise<void> {
  const site = req.header("sec-fetch-site");
  if (!harmless.has(req.method) && (site === "cross-site" || site === "same-site")) {
    throw new DocmillError("FOREIGN_PAGE", "A page of another site may not change anything here.");
  }
  await next();
}
