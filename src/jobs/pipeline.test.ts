import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { pipeline } from "./pipeline.ts";
import { createRegistry } from "./registry.ts";

const Input = z.object({ documentId: z.string(), pages: z.number().default(1) });

describe("a pipeline", () => {
  it("gives each stage its input and the outputs of the stages before it, typed", () => {
    const described = pipeline("document", { input: Input })
      .stage("extract", ({ input, outputs }) => {
        expectTypeOf(input).toEqualTypeOf<{ documentId: string; pages: number }>();
        expectTypeOf(outputs).toEqualTypeOf<object>();
        return { text: "…" };
      })
      .stage("chunk", async ({ outputs, commit }) => {
        expectTypeOf(outputs.extract).toEqualTypeOf<{ text: string }>();
        return commit(async () => [1, 2, 3]);
      })
      .stage("embed", async ({ outputs, items }) => {
        expectTypeOf(outputs.chunk).toEqualTypeOf<number[]>();
        const { outputs: vectors } = await items(outputs.chunk, { key: String }, async (chunk, { key, commit }) => {
          expectTypeOf(chunk).toEqualTypeOf<number>();
          expectTypeOf(key).toEqualTypeOf<string>();
          return commit(async () => ({ vector: [chunk] }));
        });
        expectTypeOf(vectors).toEqualTypeOf<Map<string, { vector: number[] }>>();
        return vectors.size;
      })
      .after(({ input, outputs }) => {
        expectTypeOf(input.documentId).toEqualTypeOf<string>();
        expectTypeOf(outputs.embed).toEqualTypeOf<number>();
        return [];
      });
    expect(described.stages.map(({ name }) => name)).toEqual(["extract", "chunk", "embed"]);
  });

  it("refuses what its types exclude", () => {
    const described = pipeline("document", { input: Input }).stage("extract", () => "text");
    // @ts-expect-error the input has no documentId
    described.job({ pages: 3 });
    described.stage("next", ({ outputs }) => {
      // @ts-expect-error no stage of this name came before
      return outputs.later;
    });
    expectTypeOf(described.job).parameter(0).toEqualTypeOf<{ documentId: string; pages: number }>();
  });

  it("is not changed by adding to it: each step is a new one", () => {
    const base = pipeline("document", { input: Input });
    const [one, other] = [base.stage("one", () => 1), base.stage("other", () => 2)];
    expect([base, one, other].map(({ stages }) => stages.length)).toEqual([0, 1, 1]);
  });

  it("fills in the retry policy", () => {
    const described = pipeline("document", { input: Input, retry: { attempts: 5 } });
    expect(described.retry).toEqual({ attempts: 5, baseMs: 1_000, factor: 2, capMs: 300_000 });
  });

  it("refuses two stages of one name", () => {
    const described = pipeline("document", { input: Input }).stage("extract", () => 1);
    expect(() => described.stage("extract", () => 2)).toThrow("two stages named extract");
  });

  it.each(["", "Document", "1st", "a b", "a/b", `a${"b".repeat(63)}`])("refuses %j as a kind", (kind) => {
    expect(() => pipeline(kind, { input: Input })).toThrow("is no kind");
  });
});

describe("the registry", () => {
  const one = pipeline("one", { input: Input, limit: { name: "ai", max: 3 } }).stage("only", () => 1);

  it("refuses two pipelines of one kind, one without stages, and two words about one limit", () => {
    const other = pipeline("other", { input: Input, limit: { name: "ai", max: 4 } }).stage("only", () => 1);
    expect(() => createRegistry([one, one])).toThrow(expect.objectContaining({ code: "DUPLICATE_KIND" }));
    expect(() => createRegistry([pipeline("empty", { input: Input })])).toThrow(
      expect.objectContaining({ code: "NO_STAGES" }),
    );
    expect(() => createRegistry([one, other])).toThrow(expect.objectContaining({ code: "LIMIT_CONFLICT" }));
  });

  it("names the kinds it knows when asked for another", () => {
    const error = expect.objectContaining({ code: "UNKNOWN_KIND", message: expect.stringContaining("one") });
    expect(() => createRegistry([one]).get("two")).toThrow(error);
    expect(createRegistry([one]).get("one")).toBe(one);
  });
});
