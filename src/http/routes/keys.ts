/** `/api/keys` and `/api/audit`: who may use the server, and what was done. For admins. */
import type { Context } from "hono";
import type { Access } from "../../access/access.ts";
import type { ApiKey } from "../../contract/access.ts";
import { requireStorable } from "../../db/storable.ts";
import type { Guard } from "../access/guard.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function keyRoutes(app: App, access: Access, guard: Guard): void {
  const record = (c: Context, action: string, { id, name, scope, expiresAt }: ApiKey) => {
    const details = { name, scope, expiresAt };
    return access.record({ action, target: id, who: c.get("identity"), address: guard.addressOf(c), details });
  };

  app.openapi(routeOf("listApiKeys"), async (c) => c.json({ items: await access.listKeys() }, 200));

  app.openapi(routeOf("createApiKey"), async (c) => {
    const wanted = c.req.valid("json");
    requireStorable(wanted, "The name");
    const created = await access.createKey(wanted);
    await record(c, "key.create", created);
    return c.json(created, 201);
  });

  app.openapi(routeOf("revokeApiKey"), async (c) => {
    const revoked = await access.revokeKey(c.req.valid("param").id);
    await record(c, "key.revoke", revoked);
    return c.json(revoked, 200);
  });

  app.openapi(routeOf("listAuditEntries"), async (c) => {
    const { limit, before } = c.req.valid("query");
    const entries = await access.readAuditLog({ limit: limit + 1, before });
    const items = entries.slice(0, limit);
    return c.json({ items, nextBefore: entries.length > limit ? (items.at(-1)?.id ?? null) : null }, 200);
  });
}
