/** How event streams are described: OpenAPI knows no streams, so the schema is that of one event's data, of any type. */
import { z } from "zod";
import type { EventsAnswer, NewsAnswer } from "../../contract/operation.ts";

const how =
  "One event of the stream, as its `data` line has it in JSON; its `event` line has the type, its `id` line what to come back with.";

/** A `state_sync` or one of the numbered events; pipelines add types of their own. */
export function describeEvents(operationId: string, { state, types }: EventsAnswer): z.ZodType {
  const name = nameOf(operationId);
  const eventId = z.int().describe("Its number in the stream.");
  const list = Object.entries(types).map(([type, meaning]) => `\`${type}\`: ${meaning}`);
  const sync = state.extend({ type: z.literal("state_sync"), eventId }).meta({ id: `${name}StateSync` });
  const told = z
    .looseObject({ type: z.string().describe(list.join(" ")), eventId })
    .describe("What happened, with the fields that belong to its type.")
    .meta({ id: `${name}Event`, example: { type: Object.keys(types)[0], eventId: 1 } });
  return z.union([sync, told]).describe(how);
}

export function describeNews({ types }: NewsAnswer): z.ZodType {
  return z
    .union(Object.values(types))
    .describe(`One event's \`data\` line, in JSON: ${Object.keys(types).join(" or ")}.`);
}

/** `watchJob` tells of a `Job`. */
function nameOf(operationId: string): string {
  return operationId.replace(/^watch/, "");
}
