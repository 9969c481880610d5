import { expect, it } from "vitest";
import { type LookUp, lookUpRows, rowsOf } from "./rows.ts";
import { sql } from "./sql.ts";

const columns = { id: "integer", name: "text", data: "jsonb" } as const;

it("writes a column as one array, whatever its texts hold", () => {
  const names = ["plain", 'say "it"', "back\\slash", "a,b {c}", "", "NULL", null];
  const { values } = rowsOf(
    columns,
    names.map((name, id) => ({ id, name })),
  ).compile();
  expect(values).toEqual(["{0,1,2,3,4,5,6}", '{"plain","say \\"it\\"","back\\\\slash","a,b {c}","","NULL",NULL}']);
});

it("writes what repeats in every row", () => {
  const { values } = rowsOf(columns, [
    { id: 7, name: "same" },
    { id: 7, name: "same" },
    { id: 7 },
    { id: 7, name: "same" },
  ]).compile();
  expect(values).toEqual(["{7,7,7,7}", '{"same","same",NULL,"same"}']);
});

it("writes JSON as text, and what is none as null", () => {
  const { values } = rowsOf(columns, [{ id: 1, data: { a: 'b"' } }, { id: 2, data: () => 1 }, { id: 3 }]).compile();
  expect(values[1]).toBe(String.raw`{"{\"a\":\"b\\\"\"}",NULL,NULL}`);
});

const lookUp = { key: "id", of: sql`t.id`, alike: ["name"] } satisfies LookUp<keyof typeof columns>;

it("looks a row up by the place of its key", () => {
  const at = lookUpRows<keyof typeof columns>(
    columns,
    [{ id: 1, name: "a" }, { id: 2, name: 'b"' }, { id: 3 }],
    lookUp,
  );
  expect(sql`${at("id")} ${at("name")} ${at("data")}`.compile()).toEqual({
    text: "$1::integer[] ($2::jsonb ->> (width_bucket(t.id, $1::integer[]) - 1)) nullif($3::jsonb -> (width_bucket(t.id, $1::integer[]) - 1), 'null')",
    values: ["{1,2,3}", '["a","b\\"",null]', "[null,null,null]"],
  });
});

it("writes once what all rows say alike", () => {
  const same = [
    { id: 1, name: "same" },
    { id: 2, name: "same" },
  ];
  const at = lookUpRows<keyof typeof columns>(columns, same, lookUp);
  expect(sql`${at("name")} ${at("name")}`.compile()).toEqual({ text: "$1::text $1::text", values: ["same"] });
});
