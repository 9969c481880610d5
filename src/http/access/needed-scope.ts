/** What a request needs: the one place that says so, by method and path, so that a route that is added is never open by mistake. */
import type { KeyScope } from "../../contract/access.ts";

export const harmlessMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What asks for a key when it is only looked at. The rest are pages, files of the web UI and descriptions of the API. */
const guarded = /^\/(api|admin|metrics)(\/|$)/;
/** Signing in, and what was shared by its code with people who have no key. */
const forEveryone = /^\/api\/(session|results\/[^/]+)$/;
const forAdmins = /^\/api\/(keys|audit)(\/|$)/;

/** Undefined where nobody is asked who they are. */
export function neededScope(method: string, path: string): KeyScope | undefined {
  const looks = harmlessMethods.has(method);
  if (forEveryone.test(path) && (looks || path === "/api/session")) return undefined;
  if (forAdmins.test(path)) return "admin";
  if (!looks) return "write";
  return guarded.test(path) ? "read" : undefined;
}
