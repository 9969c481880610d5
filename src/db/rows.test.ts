import { expect, it } from "vitest";
import { rowsOf } from "./rows.ts";

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
