/** Shows where the time goes while known sheets are worked off: in PostgreSQL by statement, in one worker by function. */
import { printStatements } from "../engine/profile.ts";
import { show } from "../harness/bench.ts";
import { measureCpu } from "../harness/process-tree.ts";
import { forgetStatementCosts, readStatementCosts } from "../harness/statement-costs.ts";
import type { Workers } from "./mill.ts";

const functionsShown = 40;

/** `work` answers the milliseconds it took. */
export async function profileRound(
  { processes: [worker] }: Workers,
  databaseUrl: string,
  work: () => Promise<number>,
): Promise<void> {
  if (!worker) throw new Error("there is no worker to look at");
  await forgetStatementCosts(databaseUrl);
  const cpuBefore = await measureCpu(worker.pid);
  await worker.call("startProfile", undefined);
  const ms = await work();
  const { busyMs, functions } = await worker.call("stopProfile", undefined);
  const cpuSeconds = (await measureCpu(worker.pid)) - cpuBefore;
  console.log(`\nDone in ${show(ms)} ms; one worker used ${show(cpuSeconds)} s of a processor`);
  printStatements(await readStatementCosts(databaseUrl));
  console.log(`Its main thread was busy ${show(busyMs)} ms:\n  self ms  total ms`);
  for (const { name, selfMs, totalMs } of functions.slice(0, functionsShown)) {
    console.log(`${show(selfMs).padStart(9)} ${show(totalMs).padStart(9)}  ${name}`);
  }
}
