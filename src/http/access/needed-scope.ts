/** What a request needs: the one place that says so, by method and path, so that a route that is added is never open by mistake. */
import type { KeyScope } from "../../contract/access.ts";

export const harmlessMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What asks for a key when it is only looked at. The rest are pages, files of the web UI and descriptions of the API. */
const guarded = /^\/(api|admin|metrics)(\/|$)/;
/** What was shared by its code with people who have no key. */
const shared = /^\/api\/results\/[^/]+$/;
const signIn = "/api/session";
const forAdmins = /^\/api\/(keys|audit)(\/|$)/;

/** Undefined where nobody is asked who they are. */
export function neededScope(method: string, path: string): KeyScope | undefined {
  const looks = harmlessMethods.has(method);
  if (path === signIn || (looks && isShared(path))) return undefined;
  if (forAdmins.test(path)) return "admin";
  if (!looks) return "write";
  return guarded.test(path) ? "read" : undefined;
}

export function isShared(path: string): boolean {
  return shared.test(path);
}

/** Whether it creates or changes something, or has somebody paid for it: a search asks for the vector of its words. */
export function makesWork(method: string, path: string): boolean {
  return !harmlessMethods.has(method) || path === "/api/search";
}

/** Whether it is the API's, which only pages of this server have a use for. */
export function isGuarded(path: string): boolean {
  return guarded.test(path);
}
