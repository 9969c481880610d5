/** `/metrics` and `/healthz` of a process that serves nothing else: a worker. Who may read them is told by the same rules. */
import type { Access } from "../access/access.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { readClientAddress } from "./access/client-address.ts";
import { createGuard } from "./access/guard.ts";
import { refuseForeignHosts } from "./access/refuse-foreign-hosts.ts";
import { toHttpError } from "./errors.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { createRouter } from "./routing.ts";
import { type HttpServer, listenWith } from "./server.ts";

export interface MetricsServerOptions {
  metrics: Metrics;
  access: Access;
  logger: Logger;
  host: string;
  port: number;
}

export function startMetricsServer({ metrics, access, logger, host, port }: MetricsServerOptions): Promise<HttpServer> {
  const app = createRouter();
  app.onError((error, c) => {
    const { status, body, headers } = toHttpError(error, logger);
    return c.json(body, status, headers);
  });
  if (!access.keysRequired) app.use(refuseForeignHosts(undefined));
  app.use(createGuard({ access, clientAddress: readClientAddress(undefined), logger }).middleware);
  app.get("/healthz", (c) => c.json({ ok: true }));
  metricsRoutes(app, metrics);
  return listenWith(app, { host, port });
}
