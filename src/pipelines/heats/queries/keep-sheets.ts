/** Sheets as read, kept by the content of their file: reading one again, for anyone, finds it here. */
import type { HeatPlan } from "../../../heatsheets/estimate-starts.ts";
import type { Sheet } from "../../../heatsheets/sheet.ts";
import { type Database, sql, type Transaction } from "../../../jobs/index.ts";
import type { ReadSheet } from "../sheet-threads.ts";

/** Counts up with every change of what the readers make of a file: what an older one made is not used any more. */
export const readerVersion = 1;

export interface SheetKey {
  sha256: string;
  reader: number;
}

export function sheetKey(sha256: string): SheetKey {
  return { sha256, reader: readerVersion };
}

export interface KeptSheet {
  sheet: Sheet;
  plan: HeatPlan;
  content: string;
}

/** What is used all the time is marked so now and then: a mark is a write, and a look is none. */
export const touchEvery = "1 hour";

/** Counts as a use: whoever relies on it has as much time for the rest of the work as whoever has just read the file. */
export async function hasSheet(db: Database, { sha256, reader }: SheetKey): Promise<boolean> {
  const which = sql`sha256 = ${sha256} and reader = ${reader}`;
  const [found] = await db.query<{ idle: boolean }>(
    sql`select last_used_at < now() - ${touchEvery}::interval as idle from heat_sheets where ${which}`,
  );
  if (found?.idle) await db.query(sql`update heat_sheets set last_used_at = now() where ${which}`);
  return found !== undefined;
}

export async function findSheet(db: Database, { sha256, reader }: SheetKey): Promise<KeptSheet | undefined> {
  const [kept] = await db.query<KeptSheet>(
    sql`select sheet, plan, content from heat_sheets where sha256 = ${sha256} and reader = ${reader}`,
  );
  return kept;
}

export async function keepSheet(
  tx: Transaction,
  { sha256, reader }: SheetKey,
  { sheet, plan, content }: ReadSheet,
): Promise<void> {
  await tx.query(sql`
    insert into heat_sheets (sha256, reader, sheet, plan, content, last_used_at)
    values (${sha256}, ${reader}, ${sheet}::json, ${plan}::json, ${content}, now())
    on conflict (sha256, reader) do update set last_used_at = excluded.last_used_at`);
}
