/** `docmill crash-test`: breaks things on purpose for a while and says whether every promise was kept. */
import { Command, InvalidArgumentError, Option } from "commander";
import { DocmillError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { printReport } from "./print-report.ts";
import { runCrashTest } from "./run-crash-test.ts";
import { untilToldToStop } from "./until-told-to-stop.ts";

interface CrashTestFlags {
  minutes: number;
  seconds?: number;
  seed?: number;
  workers: number;
  databaseUrl?: string;
  dataDir?: string;
  keep?: boolean;
  json?: boolean;
  plant?: "unfenced";
}

const largestSeed = 2 ** 31 - 1;

export function crashTestCommand(): Command {
  return new Command("crash-test")
    .description("Run a mixed load while killing workers, connections and the database; then check every promise.")
    .option("--minutes <n>", "how long to break things", positive, 1)
    .option("--seconds <n>", "the same, in seconds", positive)
    .option("--seed <n>", "repeat a run's load and schedule; any number, otherwise a new one", wholeNumber)
    .option("--workers <n>", "how many worker processes", wholeNumber, 4)
    .option(
      "--database-url <url>",
      "a PostgreSQL server to make a database of the test's own on; otherwise one is started, and killed too",
    )
    .option("--data-dir <folder>", "where the started server keeps its data; otherwise a temporary folder")
    .option("--keep", "leave database and logs in place even if all is well")
    .option("--json", "print the report as JSON")
    .addOption(
      new Option("--plant <bug>", "plant a bug, to see that the test finds it").choices(["unfenced"]).hideHelp(),
    )
    .action(async (flags: CrashTestFlags) => {
      const seed = flags.seed ?? Math.floor(Math.random() * largestSeed);
      const stopped = new DocmillError(
        "CRASH_TEST_STOPPED",
        `The crash test was stopped before it had checked anything. Run it again with --seed ${seed}`,
      );
      const report = await untilToldToStop(
        (stop) =>
          runCrashTest({
            durationMs: Math.round(flags.seconds === undefined ? flags.minutes * 60_000 : flags.seconds * 1_000),
            seed,
            workers: flags.workers,
            databaseUrl: flags.databaseUrl,
            dataDir: flags.dataDir,
            plant: flags.plant,
            keep: flags.keep,
            logger: createLogger({ level: "silent" }),
            onPhase: (phase) => process.stderr.write(`crash-test: ${phase}\n`),
            stop,
          }),
        stopped,
      );
      process.stdout.write(`${flags.json ? JSON.stringify(report, null, 2) : printReport(report)}\n`);
      process.exitCode = report.violations === 0 ? 0 : 1;
    });
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > largestSeed)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}
