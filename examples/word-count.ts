/** A complete pipeline: counts the words of the text files in a folder, and survives being killed at any moment. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, TerminalError, z } from "docmill";

const input = z.object({
  folder: z.string(),
  /** Slows it down, to have time to watch it and to pull the plug. */
  pauseMs: z.number().default(0),
});

export const wordCount = pipeline("word-count", { input, retry: { attempts: 3, baseMs: 1_000 } })
  // A stage runs once: what it returns is its checkpoint, and the stages after it see it under `outputs`.
  .stage("list", async ({ input }) => {
    const files = (await readdir(input.folder)).filter((file) => file.endsWith(".txt")).sort();
    if (files.length === 0) throw new TerminalError("NO_FILES", `There is no .txt file in ${input.folder}.`);
    return files;
  })
  // Each item is a checkpoint of its own: after a crash only the files that are not done are counted.
  .stage("count", async ({ input, outputs, items, signal }) => {
    const counted = await items(outputs.list, { key: (file) => file, concurrency: 2 }, async (file) => {
      const text = await readFile(join(input.folder, file), { encoding: "utf8", signal });
      await new Promise((resolve) => setTimeout(resolve, input.pauseMs));
      return text.split(/\s+/).filter(Boolean).length;
    });
    return Object.fromEntries(counted.outputs);
  })
  .stage("sum", async ({ outputs, progress }) => {
    await progress({ message: "adding up" });
    return { files: outputs.count, words: Object.values(outputs.count).reduce((sum, words) => sum + words, 0) };
  });
