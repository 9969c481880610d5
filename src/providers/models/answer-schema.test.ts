import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { dropNulls, type JsonSchema, toAnswerSchema } from "./answer-schema.ts";

const shape = z.object({
  name: z.string().min(1).describe("in full"),
  age: z.int().optional().describe("in years"),
  nick: z.string().nullable().optional(),
  tags: z.array(z.object({ tag: z.string().max(9), weight: z.number().min(0).default(1) })).max(3),
  pet: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("cat"), indoors: z.boolean().optional() }),
    z.object({ kind: z.literal("dog"), chases: z.enum(["cats", "cars"]).nullable() }),
  ]),
});

function nodesOf(node: unknown): JsonSchema[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== "object" || node === null) return [];
  return [node as JsonSchema, ...Object.values(node).flatMap(nodesOf)];
}

describe("the schema that is sent", () => {
  it("requires everything, allows nothing else and says only what servers enforce", () => {
    const { sent, strict } = toAnswerSchema(shape);
    expect(strict).toBe(true);
    const nodes = nodesOf(sent);
    const objects = nodes.filter(({ type }) => type === "object");
    expect(objects).toHaveLength(4);
    for (const object of objects) {
      expect(object.required).toEqual(Object.keys(object.properties ?? {}));
      expect(object.additionalProperties).toBe(false);
    }
    const keywords = new Set(nodes.flatMap(Object.keys));
    for (const refused of ["minLength", "maxLength", "maxItems", "minimum", "default", "oneOf", "$schema"]) {
      expect(keywords).not.toContain(refused);
    }
    expect(sent.properties?.age).toEqual({ description: "in years", anyOf: [{ type: "integer" }, { type: "null" }] });
    expect(sent.properties?.name).toEqual({ description: "in full", type: "string" });
  });

  it("refers to itself where the shape does", () => {
    const node = z.object({
      text: z.string(),
      get children() {
        return z.array(node).optional();
      },
    });
    const { sent, plain, strict } = toAnswerSchema(node);
    expect(strict).toBe(true);
    expect(JSON.stringify(sent)).toContain("$ref");
    const answer = { text: "a", children: [{ text: "b", children: null }] };
    expect(node.parse(dropNulls(answer, plain))).toEqual({ text: "a", children: [{ text: "b" }] });
  });

  it("is not enforced where servers cannot", () => {
    expect(toAnswerSchema(z.object({ counts: z.record(z.string(), z.number()) })).strict).toBe(false);
    expect(toAnswerSchema(z.object({ pair: z.tuple([z.number(), z.number()]) })).strict).toBe(false);
  });

  it("is that of an object", () => {
    expect(() => toAnswerSchema(z.array(z.string()))).toThrow(TypeError);
  });
});

describe("nulls in an answer", () => {
  const { plain } = toAnswerSchema(shape);
  const read = (answer: unknown) => shape.parse(dropNulls(answer, plain));

  it("stand for what is left out, unless null is a value", () => {
    const answer = {
      name: "Ada",
      age: null,
      nick: null,
      tags: [{ tag: "a", weight: null }],
      pet: { kind: "dog", chases: null },
    };
    expect(read(answer)).toEqual({
      name: "Ada",
      nick: null,
      tags: [{ tag: "a", weight: 1 }],
      pet: { kind: "dog", chases: null },
    });
    expect(read({ ...answer, pet: { kind: "cat", indoors: null } }).pet).toEqual({ kind: "cat" });
  });

  it("are wrong where something is required", () => {
    const answer = { name: null, tags: [], pet: { kind: "cat" } };
    expect(shape.safeParse(dropNulls(answer, plain)).success).toBe(false);
  });

  it("never break an answer, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (answer) => {
        expect(dropNulls(answer, { ...plain, properties: {} })).toEqual(answer);
      }),
    );
  });
});
