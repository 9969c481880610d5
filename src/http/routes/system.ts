/** `/api/system`: what this server is, who does what for it, and how it is set up. */
import { createRoute } from "@hono/zod-openapi";
import { SystemInfo } from "../../contract/system.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";

const system = createRoute({
  method: "get",
  path: "/api/system",
  summary: "Version, providers in use with what others would add, and all settings without secrets",
  responses: { 200: jsonAnswer(SystemInfo, "As the process was started"), ...refusing() },
});

export function systemRoutes(app: App, info: SystemInfo): void {
  app.openapi(system, (c) => c.json(info, 200));
}
