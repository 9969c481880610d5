/** `docmill results`: the schedule from a batch of heat sheets, at any time. */
import { Command } from "commander";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { alarmOption, type ResultFlags, showResults } from "./show-results.ts";

export function resultsCommand(): Command {
  return new Command("results")
    .description("Show a swimmer's schedule from a batch of heat sheets: all of it, or what is read so far.")
    .argument("<batch>", "the batch's id, as docmill heats says it")
    .option("--json", "print what the server answers, for scripts")
    .option("--calendar <file>", "write the schedule as iCalendar too")
    .addOption(alarmOption())
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill results 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e
  $ docmill results 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e --calendar meet.ics --alarm 15
  $ docmill results 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e --json | jq '.events[].lane'

Exit code: 0 all sheets read, or not finished yet; 1 a sheet was not read or nothing was found, 3 no server.`,
    )
    .action(async (batchId: string, flags: ServerFlag & ResultFlags) => {
      process.exitCode = await showResults(await findServer(flags), batchId, flags);
    });
}
