/** The cookie of a signed-in browser: no script can read it, and no other site's page can make a browser send it. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

export const sessionCookie = "docmill_session";

export const readSessionCookie = (c: Context): string | undefined => getCookie(c, sessionCookie);

export interface SessionCookies {
  write(c: Context, token: string, endsAt: Date): void;
  clear(c: Context): void;
}

/** On https the cookie is for https only. */
export function sessionCookies(secure: boolean): SessionCookies {
  const options = { path: "/", httpOnly: true, sameSite: "Strict", secure } as const;
  return {
    write: (c, token, expires) => setCookie(c, sessionCookie, token, { ...options, expires }),
    clear: (c) => void deleteCookie(c, sessionCookie, options),
  };
}
