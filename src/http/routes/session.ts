/** `/api/session`: who is asking, and how a browser signs in and out. */
import type { Context } from "hono";
import type { Access } from "../../access/access.ts";
import type { Identity } from "../../access/identity.ts";
import type { Session } from "../../contract/access.ts";
import { DocmillError } from "../../errors.ts";
import type { Guard } from "../access/guard.ts";
import { readSessionCookie, type SessionCookies } from "../access/session-cookie.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function sessionRoutes(app: App, access: Access, guard: Guard, cookies: SessionCookies): void {
  const { keysRequired } = access;
  const describe = (identity: Identity | undefined): Session => {
    if (!identity) return { keysRequired, user: null };
    const { keyId, name, scope, sessionEndsAt } = identity;
    return { keysRequired, user: { keyId, name, scope, sessionEndsAt } };
  };
  const record = (c: Context, action: string, who: Identity | undefined) =>
    access.record({ action, who, address: guard.addressOf(c) });

  app.openapi(routeOf("readSession"), async (c) => c.json(describe(await guard.whoIs(c)), 200));

  app.openapi(routeOf("signIn"), async (c) => {
    const identity = await guard.checkSignIn(c, c.req.valid("json").key.trim()).catch(async (error: unknown) => {
      // What is refused for coming too often leaves no trace: it would be anybody's way to fill the log.
      if (error instanceof DocmillError && error.code === "WRONG_KEY") await record(c, "session.refused", undefined);
      throw error;
    });
    const { token, endsAt } = await access.signIn(identity);
    cookies.write(c, token, endsAt);
    await record(c, "session.start", identity);
    return c.json(describe({ ...identity, sessionEndsAt: endsAt.toISOString() }), 200);
  });

  app.openapi(routeOf("signOut"), async (c) => {
    const token = readSessionCookie(c);
    if (token !== undefined) {
      const identity = await access.identify({ token });
      await access.signOut(token);
      if (identity) await record(c, "session.end", identity);
    }
    cookies.clear(c);
    return c.json({ keysRequired, user: keysRequired ? null : describe(await guard.whoIs(c)).user }, 200);
  });
}
