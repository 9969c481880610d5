/** Finds the schemas with a name of their own that a schema is made of. */
import { z } from "zod";

/** By name, each after those that it is made of. Whatever is wrapped or listed is looked through. */
export function findNamedSchemas(schema: z.ZodType, found = new Map<string, z.ZodType>()): Map<string, z.ZodType> {
  const id = schema.meta()?.id;
  if (id !== undefined && found.has(id)) return found;
  for (const part of partsOf(schema)) findNamedSchemas(part as z.ZodType, found);
  return id === undefined ? found : found.set(id, schema);
}

function partsOf(schema: z.ZodType): readonly unknown[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape);
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return [schema.unwrap()];
  }
  return [];
}
