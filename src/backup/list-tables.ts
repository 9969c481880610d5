/**
 * The tables a backup holds: all there are in Docmill's schema, those of the user's own pipelines included, each after
 * the ones it refers to. What can be made again from the others is left out.
 */
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";

export interface Table {
  name: string;
  columns: string[];
}

/** What pgvector searches is derived from chunk_vectors; the migrations are in the manifest. */
const leftOut = /^(schema_migrations|vector_index_\d+)$/;

/**
 * Generated columns are left out, and numbers of transactions: those belong to the server they were counted by, and the
 * column's default gives each row one of the new server's.
 */
export async function listTables(db: Queryable): Promise<Table[]> {
  const rows = await db.query<Table & { refersTo: string[] }>(sql`
    select c.relname as name,
           array(select a.attname::text from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   and a.atttypid <> 'xid8'::regtype
                 order by a.attnum) as columns,
           array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
                 where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
    from pg_class c
    where c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migrations'))
      and c.relkind = 'r' and c.relpersistence = 'p'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`);
  const waiting = rows.filter(({ name }) => !leftOut.test(name));
  const ordered: Table[] = [];
  while (waiting.length > 0) {
    const unplaced = new Set(waiting.map(({ name }) => name));
    const next = waiting.findIndex(({ refersTo }) => refersTo.every((name) => !unplaced.has(name)));
    const [table] = waiting.splice(next, 1);
    if (next === -1 || !table) {
      throw new DocmillError(
        "TABLES_IN_A_CIRCLE",
        `Tables refer to each other in a circle (${[...unplaced].join(", ")}), so there is no order to restore them in. Use pg_dump.`,
      );
    }
    ordered.push({ name: table.name, columns: table.columns });
  }
  return ordered;
}
