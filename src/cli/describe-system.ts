/** What `/api/system` tells of this process: its version, who does what, and the settings as `docmill doctor` prints them. */
import { type Config, describeConfig, type Settings } from "../config.ts";
import type { SystemInfo } from "../contract/system.ts";
import type { Providers } from "../providers/own/own-providers.ts";
import type { Runtime } from "../runtime.ts";
import { version } from "../version.ts";
import { providerHints } from "./provider-hints.ts";
import { describeDatabase } from "./serve-command.ts";

type Provider = SystemInfo["providers"][number];
type Facts = Pick<Runtime, "database" | "documentFacts">;

export function describeSystem(config: Config, own: Providers, runtime: Facts): SystemInfo {
  return {
    version,
    startedAt: new Date(performance.timeOrigin).toISOString(),
    providers: describeProviders(config.settings, own, runtime),
    settings: describeConfig(config).map(({ fallback: _, ...setting }) => setting),
  };
}

function describeProviders(settings: Settings, own: Providers, { database, documentFacts }: Facts): Provider[] {
  const { files, ocr, extraction, embeddings, search, model = null } = documentFacts;
  const { azureDiEndpoint, smtpUrl, mailFrom, webhookUrl } = settings;
  const provider = (use: Provider["use"], name: string | null, hasMore: boolean): Provider => ({
    use,
    name,
    hint: hasMore ? providerHints[use] : null,
  });
  return [
    provider("database", describeDatabase({ ...database, adopted: false }), database.kind === "embedded"),
    provider("storage", files, settings.storage === "folder"),
    provider("search", search, search !== "pgvector"),
    provider("ocr", ocr, !own.ocr && settings.ocr === "local"),
    provider("extraction", extraction, !own.extraction && azureDiEndpoint === undefined),
    provider("embeddings", embeddings, !own.embeddings && settings.embeddings === "local"),
    provider("model", model, model === null),
    provider("mail", smtpUrl === undefined ? null : (mailFrom ?? null), smtpUrl === undefined),
    // Its path may be all that keeps others from calling it.
    provider("webhook", webhookUrl === undefined ? null : new URL(webhookUrl).origin, webhookUrl === undefined),
  ];
}
