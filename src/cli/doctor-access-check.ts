/** What `docmill doctor` says of who may use the server: whether keys are asked for, and whether there are any. */
import { countUsableKeys } from "../access/api-keys.ts";
import type { Settings } from "../config.ts";
import { type Queryable, sqlState } from "../db/database.ts";
import { isLoopback } from "../http/loopback.ts";
import type { Finding } from "./finding.ts";

const subject = "access";
const undefinedTable = "42P01";
const makeOne = "Make one: docmill keys create --name yours --scope admin";

export async function checkAccess(db: Queryable, { host, requireKeys }: Settings): Promise<Finding> {
  const keysRequired = requireKeys || !(await isLoopback(host));
  if (!keysRequired) return { result: "ok", subject, message: `open to everyone on this machine (${host})` };
  const keys = await countUsableKeys(db).catch((error: unknown) => {
    // A migration is missing, and so are all keys.
    if (sqlState(error) === undefinedTable) return 0;
    throw error;
  });
  if (keys > 0) return { result: "ok", subject, message: `API keys are asked for on ${host}; usable: ${keys}` };
  const message = `API keys are asked for on ${host}, and there are none: docmill serve will not start. ${makeOne}`;
  return { result: "fail", subject, message };
}
