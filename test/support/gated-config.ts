/**
 * A config file whose pipeline stops where a test wants it to: an item waits until a file with its name is in the gate
 * folder, and writes its name to a log each time it is run.
 */
import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { docmill, pipeline, RetryableError, TerminalError, z } from "docmill";

const input = z.object({
  folder: z.string(),
  /** Items that wait for their gate. */
  items: z.array(z.string()),
  fail: z.enum(["terminal", "retryable"]).optional(),
});

const gated = pipeline("gated", { input, retry: { attempts: 5, baseMs: 10 } })
  .stage("begin", async ({ input }) => {
    await appendFile(join(input.folder, "log"), "begin\n");
    if (input.fail === "terminal") throw new TerminalError("BROKEN_PAGE", "The page is broken.");
    if (input.fail === "retryable") throw new RetryableError("TOO_BUSY", "The service is busy.");
  })
  .stage("items", async ({ input, items, signal }) => {
    const results = await items(input.items, { key: (item) => item }, async (item) => {
      await appendFile(join(input.folder, "log"), `${item}\n`);
      while (!(await isOpen(join(input.folder, item)))) await delay(20, undefined, { signal });
      return item.length;
    });
    return { done: [...results.outputs.keys()] };
  });

async function isOpen(gate: string): Promise<boolean> {
  return stat(gate).then(
    () => true,
    () => false,
  );
}

export default docmill({ pipelines: [gated] });
