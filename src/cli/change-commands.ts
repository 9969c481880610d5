/** `docmill cancel` and `docmill retry`: what a person does to a job. */
import { Command } from "commander";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";

export function cancelCommand(): Command {
  return new Command("cancel")
    .description("Cancel a job that is waiting or running. What it has finished stays.")
    .argument("<job>", "the job's id")
    .addOption(serverOption())
    .addHelpText("after", "\nExample:\n  $ docmill cancel 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e")
    .action(async (jobId: string, flags: ServerFlag) => {
      const server = await findServer(flags);
      await server.cancelJob({ id: jobId });
      process.stdout.write(`Job ${jobId} cancelled. Start it again: docmill retry ${jobId}\n`);
    });
}

export function retryCommand(): Command {
  return new Command("retry")
    .description("Start a failed or cancelled job again. It goes on from its last checkpoint.")
    .argument("<job>", "the job's id")
    .addOption(serverOption())
    .addHelpText("after", "\nExample:\n  $ docmill retry 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e")
    .action(async (jobId: string, flags: ServerFlag) => {
      const server = await findServer(flags);
      await server.retryJob({ id: jobId });
      process.stdout.write(`Job ${jobId} is waiting again. Watch it: docmill watch ${jobId}\n`);
    });
}
