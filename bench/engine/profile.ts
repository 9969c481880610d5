/** Shows where Docmill's time goes in a drain: in our process, function by function, and in PostgreSQL. */
import { type Bench, show } from "../harness/bench.ts";
import { forgetStatementCosts, readStatementCosts, type StatementCost } from "../harness/statement-costs.ts";
import { type DrainOptions, drain } from "./drain.ts";

const functionsShown = 40;

export async function profileDrain(bench: Bench, options: Omit<DrainOptions, "contender">): Promise<void> {
  let costs: StatementCost[] = [];
  const { ms, profiles } = await drain(bench, {
    ...options,
    contender: "docmill",
    profile: true,
    beforeStart: forgetStatementCosts,
    inspect: async (url) => {
      costs = await readStatementCosts(url);
    },
  });
  console.log(`\n${show(options.jobs.length)} jobs in ${show(ms)} ms with ${options.processes} process(es)`);
  printStatements(costs);
  for (const { busyMs, functions } of profiles) {
    console.log(`A process was busy ${show(busyMs)} ms:\n  self ms  total ms`);
    for (const { name, selfMs, totalMs } of functions.slice(0, functionsShown)) {
      console.log(`${show(selfMs).padStart(9)} ${show(totalMs).padStart(9)}  ${name}`);
    }
  }
}

export function printStatements(costs: readonly StatementCost[]): void {
  console.log(
    "PostgreSQL, by statement:\n    calls  rows/call  plan ms/call  exec ms/call  WAL kB/call  buffers/call  total ms",
  );
  for (const { statement, calls, rows, planMs, execMs, walBytes, buffers } of costs.filter(({ calls }) => calls > 0)) {
    const cells: [number, number][] = [
      [calls, 9],
      [rows / calls, 10],
      [planMs / calls, 13],
      [execMs / calls, 13],
      [walBytes / 1024 / calls, 12],
      [buffers / calls, 13],
      [planMs + execMs, 9],
    ];
    console.log(`${cells.map(([cell, width]) => show(cell).padStart(width)).join(" ")}  ${statement.slice(0, 100)}`);
  }
}
