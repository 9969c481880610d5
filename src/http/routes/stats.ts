/** `/api/stats`: how much there is of everything. */
import type { Stats } from "../../contract/system.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function statsRoutes(app: App, readStats: () => Promise<Stats>): void {
  app.openapi(routeOf("readStats"), async (c) => c.json(await readStats(), 200));
}
