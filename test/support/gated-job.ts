/** A job of the gated config: made on a server, let through item by item, and asked how often it ran what. */
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JobDetail } from "../../src/contract/jobs.ts";
import { runDocmill } from "./docmill-process.ts";
import { until } from "./until.ts";

export const gatedConfig = fileURLToPath(new URL("./gated-config.ts", import.meta.url));

export interface GatedJob {
  id: string;
  /** Lets these items through. */
  open(...items: string[]): Promise<void>;
  /** How often each item was run, in any process. */
  runs(): Promise<Record<string, number>>;
  read(url: string): Promise<JobDetail>;
  /** The job, as soon as it fits. */
  reaches(url: string, fits: (job: JobDetail) => boolean): Promise<JobDetail>;
}

export async function createGatedJob(
  url: string,
  parent: string,
  options: { items: readonly string[]; fail?: "terminal" | "retryable" },
): Promise<GatedJob> {
  const gates = join(parent, "gates");
  await mkdir(gates, { recursive: true });
  const folder = await mkdtemp(join(gates, "job-"));
  await writeFile(join(folder, "log"), "");
  const input = JSON.stringify({ folder, ...options });
  const { code, stdout, stderr } = await runDocmill(["run", "gated", "--input", input, "--json", "--server", url]);
  if (code !== 0) throw new Error(`the job was not created: ${stderr}`);
  const { id } = JSON.parse(stdout) as { id: string };
  const read = async (server: string) => {
    const response = await fetch(`${server}/api/jobs/${id}`);
    if (!response.ok) throw new Error(`the job cannot be read: ${await response.text()}`);
    return (await response.json()) as JobDetail;
  };
  return {
    id,
    open: async (...items) => {
      await Promise.all(items.map((item) => writeFile(join(folder, item), "")));
    },
    async runs() {
      const names = (await readFile(join(folder, "log"), "utf8")).trim().split("\n");
      const counts: Record<string, number> = {};
      for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    },
    read,
    reaches: (server, fits) =>
      until(async () => {
        const job = await read(server);
        return fits(job) && job;
      }),
  };
}
