/** One runner of a race: gets ready, waits for the start, acts, and tells what came of it. */
import type { Outcome, Racer } from "./race-in-processes.ts";

const [file, argument] = process.argv.slice(2) as [string, string];
const { default: racer }: { default: Racer } = await import(file);
const act = await racer(JSON.parse(argument) as never);

process.once("message", async () => {
  const outcomes = await act();
  process.send?.(outcomes satisfies Outcome[], () => process.exit(0));
});
process.once("disconnect", () => process.exit(1));
process.send?.("ready");
