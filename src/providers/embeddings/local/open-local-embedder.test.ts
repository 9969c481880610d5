import { readFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import type { CallContext } from "../../call-context.ts";
import { openLocalEmbedder } from "./open-local-embedder.ts";

interface Reference {
  sentences: { text: string; vector: string }[];
}

const reference = new URL("../../../../test/fixtures/use-lite-vectors.json", import.meta.url);
const embedder = openLocalEmbedder({ threads: 2 });

afterAll(() => embedder.close());

const embed = (texts: readonly string[], signal = new AbortController().signal) =>
  embedder.embed(texts, { signal } as CallContext);

const dot = (one: ArrayLike<number>, other: ArrayLike<number>) =>
  Array.from(one).reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);

it("gives the vectors the model's own runtime gives", async () => {
  const { sentences } = JSON.parse(await readFile(reference, "utf8")) as Reference;
  const vectors = await embed(sentences.map(({ text }) => text));
  for (const [place, { text, vector }] of sentences.entries()) {
    const expected = new Int16Array(new Uint8Array(Buffer.from(vector, "base64")).buffer);
    const found = vectors[place] as Float32Array;
    expect(found).toHaveLength(512);
    expect(dot(found, found)).toBeCloseTo(1, 5);
    expect(dot(found, expected) / Math.sqrt(dot(expected, expected)), text).toBeGreaterThan(0.9999);
  }
});

it("gives a text the same bits alone, in company and on any thread", async () => {
  const text = "The ferry leaves the lower quay at a quarter past six, also on Sundays.";
  const [alone] = await embed([text]);
  const company = Array.from({ length: 60 }, (_, place) =>
    place % 3 === 0 ? text : `${"Rain is expected over the hills. ".repeat(1 + (place % 7))}${place}`,
  );
  const vectors = await embed(company);
  for (let place = 0; place < company.length; place += 3) expect(vectors[place]).toEqual(alone);
});

it("reads a long text to its end", async () => {
  const start = "The orchard was planted in rows of nine, and every ninth tree was a pear. ".repeat(12);
  const [one, other, whole] = (await embed([
    start,
    `${start}${"Interest on the loan is due in March and September. ".repeat(12)}`,
    `${start}${start}`,
  ])) as [Float32Array, Float32Array, Float32Array];
  expect(dot(one, one)).toBeCloseTo(1, 5);
  expect(dot(one, other)).toBeLessThan(0.95);
  expect(dot(one, whole)).toBeGreaterThan(0.98);
});

it("has a vector even for nothing", async () => {
  const [vector] = await embed([""]);
  expect(dot(vector as Float32Array, vector as Float32Array)).toBeCloseTo(1, 5);
  expect(await embed([])).toEqual([]);
});

it("tells what belongs together from what does not", async () => {
  const [bill, sameBill, machine] = (await embed([
    "Invoices must be paid within thirty days. A customer who pays late owes interest of two percent a month.",
    "An invoice must be paid in thirty days. Customers who are late with a payment owe two percent interest monthly.",
    "The lathe must be switched off before the guard is opened. Keep your hands off the spindle while it turns.",
  ])) as [Float32Array, Float32Array, Float32Array];
  expect(embedder.strengthOf(dot(bill, sameBill))).toBeGreaterThanOrEqual(0.7);
  expect(embedder.strengthOf(dot(bill, machine))).toBeLessThan(0.3);
  expect(embedder.strengthOf(1)).toBe(1);
});

it("lets go of a caller who no longer waits, and works on for the others", async () => {
  const caller = new AbortController();
  const asked = embed(Array(200).fill("A long list that nobody waits for. ".repeat(20)), caller.signal);
  const others = embed(["Someone else waits for this."]);
  caller.abort(new Error("gone"));
  await expect(asked).rejects.toThrow("gone");
  expect(await others).toHaveLength(1);
  await expect(embed(["Never."], AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});

it("is closed for good", async () => {
  const own = openLocalEmbedder({ threads: 1 });
  await own.close();
  await expect(own.embed(["Too late."], { signal: new AbortController().signal } as CallContext)).rejects.toMatchObject(
    {
      code: "POOL_CLOSED",
    },
  );
});
