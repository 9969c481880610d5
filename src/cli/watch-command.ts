/** `docmill watch`: live bars in a terminal, plain lines in a pipe. */
import { Command } from "commander";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { watchAll, watchJob } from "./watch-jobs.ts";

export function watchCommand(): Command {
  return new Command("watch")
    .description("Watch a job, or all that are active, until they have ended. Ctrl-C leaves the work running.")
    .argument("[job]", "the job's id; left out, all active jobs")
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill watch
  $ docmill watch 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e
  $ docmill watch 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e >job.log && echo completed

Exit code: 0 completed, 1 failed or cancelled, 3 no server, 130 stopped watching.`,
    )
    .action(async (jobId: string | undefined, flags: ServerFlag) => {
      const server = await findServer(flags);
      process.exitCode = jobId === undefined ? await watchAll(server) : await watchJob(server, jobId);
    });
}
