/** What a sheet had for a swimmer, kept by content, name and extractor: a hit costs neither reading nor a model. */
import type { KeptFacts } from "../../../heatsheets/sheet-facts.ts";
import type { Swim } from "../../../heatsheets/swim.ts";
import { type Database, sql, type Transaction, toJson } from "../../../jobs/index.ts";
import type { ChatModel } from "../../../providers/models/chat-model.ts";
import type { SheetInput } from "../sheet-input.ts";
import { readerVersion, touchEvery } from "./keep-sheets.ts";

export interface Extraction {
  facts: KeptFacts;
  swims: Swim[];
  warnings: string[];
}

export interface ExtractionKey {
  sha256: string;
  swimmerKey: string;
  extractor: string;
}

/** Another reader, another model or another way of asking it may find something else. */
export function extractionKey(
  sha256: string,
  { swimmerKey, extractor }: SheetInput,
  model: ChatModel | undefined,
): ExtractionKey {
  const who = model ? `${model.provider}/${model.model}` : "none";
  return { sha256, swimmerKey, extractor: `${extractor} ${readerVersion} ${who}` };
}

/** Counts as a use. */
export async function hasExtraction(db: Database, key: ExtractionKey): Promise<boolean> {
  const which = sql`sha256 = ${key.sha256} and swimmer_key = ${key.swimmerKey} and extractor = ${key.extractor}`;
  const [found] = await db.query<{ idle: boolean }>(sql`
    select last_used_at < now() - ${touchEvery}::interval as idle from heat_extractions where ${which}`);
  if (found?.idle) await db.query(sql`update heat_extractions set last_used_at = now() where ${which}`);
  return found !== undefined;
}

export async function keepExtraction(tx: Transaction, key: ExtractionKey, found: Extraction): Promise<void> {
  await tx.query(sql`
    insert into heat_extractions (sha256, swimmer_key, extractor, facts, swims, warnings, last_used_at)
    values (${key.sha256}, ${key.swimmerKey}, ${key.extractor}, ${toJson(found.facts)}::jsonb, ${toJson(found.swims)}::jsonb,
      ${found.warnings}::text[], now())
    on conflict (sha256, swimmer_key, extractor) do update set last_used_at = excluded.last_used_at`);
}
