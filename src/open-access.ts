/** Decides whether keys are asked for, and refuses to go on where they are and there is none: nobody could get in. */
import { type Access, createAccess } from "./access/access.ts";
import { countUsableKeys } from "./access/api-keys.ts";
import type { Settings } from "./config.ts";
import type { Database } from "./db/database.ts";
import { DocmillError } from "./errors.ts";
import { isLoopback } from "./http/loopback.ts";
import type { Logger } from "./logger.ts";

type AccessSettings = Pick<Settings, "host" | "publicUrl" | "requireKeys" | "sessionHours" | "rateLimit">;

export interface OpenedAccess {
  access: Access;
  /** Undefined where there is no limit. */
  ratePerMinute: number | undefined;
}

/** Who would use so much by hand or in a reasonable program; the uploads of a large folder fit in. */
const usualRate = 3_000;

export async function openAccess(settings: AccessSettings, db: Database, logger: Logger): Promise<OpenedAccess> {
  const { host, publicUrl, requireKeys, sessionHours, rateLimit } = settings;
  const reachable = !(await isLoopback(host));
  const keysRequired = reachable || requireKeys;
  if (keysRequired && (await countUsableKeys(db)) === 0) {
    const reason = reachable
      ? `Docmill does not bind to ${host} without API keys: anyone who can reach that address could do everything`
      : "DOCMILL_REQUIRE_KEYS is set, and there are no API keys";
    const remedy = reachable ? ", or bind to 127.0.0.1" : "";
    throw new DocmillError(
      "OPEN_BIND_REFUSED",
      `${reason}. Make one with docmill keys create --name yours --scope admin, then start again${remedy}.`,
    );
  }
  if (!keysRequired && !(await isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")))) {
    // Somebody's proxy may ask who they are; this server does not.
    logger.warn(
      { publicUrl },
      "open to everyone who reaches it at its public url; DOCMILL_REQUIRE_KEYS=true asks for keys",
    );
  }
  const ratePerMinute = rateLimit ?? (keysRequired ? usualRate : 0);
  return {
    access: createAccess({ db, logger, keysRequired, sessionHours }),
    ratePerMinute: ratePerMinute === 0 ? undefined : ratePerMinute,
  };
}
