/**
 * The schema as it really is, compared with the manifest beside this file, so that no table, column, index or constraint
 * changes by accident. After a migration that is meant: `npx vitest run test/integration/schema.test.ts -u`.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "../support/test-database.ts";

describeOnEachServer("a migrated database", (server) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase({ server });
  });
  afterAll(() => database.drop());

  it("has the schema of the manifest", async () => {
    const parts = await Promise.all([readColumns(), readConstraints(), readIndexes(), readOthers()]);
    await expect(`${parts.join("\n\n")}\n`).toMatchFileSnapshot("schema-manifest.txt");
  });

  async function readColumns(): Promise<string> {
    const rows = await database.db.query<{ line: string }>(sql`
      select format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' end, ' default ' || pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      order by c.relname, a.attnum`);
    return section("columns", rows);
  }

  async function readConstraints(): Promise<string> {
    // Since PostgreSQL 18 NOT NULL is a constraint with a name; here it stands with its column.
    const rows = await database.db.query<{ line: string }>(sql`
      select format('%s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      order by conrelid::regclass::text, conname`);
    return section("constraints", rows);
  }

  async function readIndexes(): Promise<string> {
    const rows = await database.db.query<{ line: string }>(
      sql`select indexdef as line from pg_indexes where schemaname = 'public' order by tablename, indexname`,
    );
    return section("indexes", rows);
  }

  async function readOthers(): Promise<string> {
    const rows = await database.db.query<{ line: string }>(sql`
      select format('table %s (%s)', relname, array_to_string(reloptions, ', ')) as line from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and reloptions is not null
      union all
      select format('%s %s', case relkind when 'S' then 'sequence' else 'view' end, relname) from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('S', 'v', 'm')
      union all
      select 'function ' || oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select format('trigger %s on %s', tgname, tgrelid::regclass) from pg_trigger where not tgisinternal
      union all
      select 'type ' || typname from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
      order by line`);
    return section("settings and others", rows);
  }
});

function section(title: string, rows: readonly { line: string }[]): string {
  return [`${title}:`, ...rows.map(({ line }) => `  ${line}`)].join("\n");
}
