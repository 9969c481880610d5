/** `docmill keys`: makes, lists and revokes API keys, on the database itself: the first key cannot be asked of a server. */
import { Command, Option } from "commander";
import { createKey, listKeys, revokeKey } from "../access/api-keys.ts";
import { recordAction } from "../access/audit-log.ts";
import { type ApiKey, type KeyScope, keyScopes, NewApiKey } from "../contract/access.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { DocmillError } from "../errors.ts";
import { harmless } from "./harmless.ts";
import { prepareLaunch } from "./launch.ts";
import { withDatabase } from "./with-database.ts";

interface KeyFlags {
  dataDir?: string;
  json?: boolean;
}

interface CreateFlags extends KeyFlags {
  name: string;
  scope: KeyScope;
  expiresDays?: string;
}

/** Who did it, as the audit log has it. */
const details = { by: "command line" };

export function keysCommand(): Command {
  return new Command("keys")
    .description("Make, list and revoke the API keys that a server on the network asks for.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addHelpText(
      "after",
      "\nExamples:\n  $ docmill keys create --name ops --scope admin\n  $ docmill keys list\n  $ docmill keys revoke ops",
    );
}

function createCommand(): Command {
  return withCommonOptions(new Command("create"))
    .description("Make a key. It is shown once; only a hash of it is kept.")
    .requiredOption("--name <name>", "who or what will use it")
    .addOption(new Option("--scope <scope>", "what it may do").choices(keyScopes).default("write"))
    .option("--expires-days <days>", "how long it is good (default: until it is revoked)")
    .addHelpText(
      "after",
      `
read looks; write also creates and changes work; admin also manages keys and reads the audit log.

Examples:
  $ docmill keys create --name ops --scope admin
  $ docmill keys create --name scanner --expires-days 90
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill keys create --name ops --scope admin`,
    )
    .action(async ({ name, scope, expiresDays, ...flags }: CreateFlags) => {
      const wanted = NewApiKey.safeParse({
        name,
        scope,
        ...(expiresDays !== undefined && { expiresInDays: Number(expiresDays) }),
      });
      if (!wanted.success) {
        const [issue] = wanted.error.issues;
        throw new DocmillError("WRONG_INPUT", `--${String(issue?.path[0])}: ${issue?.message}.`);
      }
      const created = await onDatabase(flags, async (db) => {
        const made = await createKey(db, wanted.data);
        await recordAction(db, { action: "key.create", target: made.id, details: { ...details, name, scope } });
        return made;
      });
      if (flags.json) print(created);
      else {
        process.stdout.write(
          `${created.key}\n\nKeep it: it is not shown again. Programs send it as Authorization: Bearer …; docmill takes it from DOCMILL_API_KEY.\n`,
        );
      }
    });
}

function listCommand(): Command {
  return withCommonOptions(new Command("list"))
    .description("All keys, without their secrets.")
    .addHelpText("after", "\nExample:\n  $ docmill keys list")
    .action(async (flags: KeyFlags) => {
      const keys = await onDatabase(flags, listKeys);
      if (flags.json) print({ items: keys });
      else if (keys.length === 0)
        process.stdout.write("There are no keys. Make one: docmill keys create --name yours --scope admin\n");
      else process.stdout.write(describeKeys(keys));
    });
}

function revokeCommand(): Command {
  return withCommonOptions(new Command("revoke"))
    .description("Take a key's right; running servers refuse it within seconds.")
    .argument("<key>", "its id, how it begins (dm_…), or its name if no other has it")
    .addHelpText("after", "\nExample:\n  $ docmill keys revoke scanner")
    .action(async (named: string, flags: KeyFlags) => {
      const revoked = await onDatabase(flags, async (db) => {
        const { id, name, scope } = chooseKey(await listKeys(db), named);
        const key = await revokeKey(db, id);
        await recordAction(db, { action: "key.revoke", target: id, details: { ...details, name, scope } });
        return key;
      });
      if (flags.json) print(revoked);
      else process.stdout.write(`Key ${revoked.prefix} ("${harmless(revoked.name)}") is revoked.\n`);
    });
}

function withCommonOptions(command: Command): Command {
  return command
    .option("--data-dir <folder>", "folder of the embedded database, without DATABASE_URL (default: ./data)")
    .option("--json", "print JSON");
}

async function onDatabase<T>({ dataDir }: KeyFlags, work: (db: Database) => Promise<T>): Promise<T> {
  const { settings, logger } = await prepareLaunch({ dataDir });
  return withDatabase(settings, logger, async (url) => {
    await migrate({ url, logger });
    const db = openDatabase({ url, logger, maxConnections: 1 });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  });
}

function chooseKey(keys: readonly ApiKey[], named: string): ApiKey {
  const found = keys.filter(
    ({ id, prefix, name, revokedAt }) => id === named || named.startsWith(prefix) || (name === named && !revokedAt),
  );
  const [key] = found;
  if (key && found.length === 1) return key;
  const reason = key
    ? `${found.length} keys are called "${harmless(named)}"; name one by how it begins`
    : `There is no key "${harmless(named)}"`;
  throw new DocmillError("NOT_FOUND", `${reason}. docmill keys list shows them.`);
}

function describeKeys(keys: readonly ApiKey[]): string {
  const rows = keys.map(({ prefix, scope, name, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
    prefix,
    scope,
    revokedAt ? "revoked" : expiresAt && expiresAt <= new Date().toISOString() ? "expired" : "usable",
    createdAt.slice(0, 10),
    lastUsedAt?.slice(0, 10) ?? "never",
    harmless(name),
  ]);
  const lines = [["key", "scope", "state", "created", "last used", "name"], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
