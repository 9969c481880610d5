/** `/api/system`: what this server is, who does what for it, and how it is set up. */
import type { SystemInfo } from "../../contract/system.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function systemRoutes(app: App, info: SystemInfo): void {
  app.openapi(routeOf("readSystem"), (c) => c.json(info, 200));
}
