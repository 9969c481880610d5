/** `docmill doctor`: says for each thing Docmill needs whether it is there, and what to do if not. */
import { Command } from "commander";
import { describeConfig, inspectConfig, namedConfigFile } from "../config.ts";
import { type ConfigFile, loadConfigFile, noConfigFile } from "../config-file.ts";
import { createRegistry } from "../jobs/registry.ts";
import { checkEverything } from "./doctor-checks.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Finding } from "./finding.ts";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description(
      "Check what Docmill needs: Node.js, disk, database, schema, notifications, clock, storage, services, settings.",
    )
    .option("--config [file]", "print all settings, their meaning and where each value comes from")
    .option("--data-dir <folder>", "folder for all data (default: ./data)")
    .addHelpText(
      "after",
      `
Examples:
  $ docmill doctor
  $ docmill doctor --config
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill doctor

Exit code: 0 when nothing failed, 1 otherwise.`,
    )
    .action(async ({ config: wanted, ...flags }: { config?: string | true; dataDir?: string }) => {
      const { file, findings } = await checkConfigFile(wanted === true ? undefined : wanted);
      const config = inspectConfig({ flags, file: file.settings });
      findings.push(...config.problems.map((message): Finding => ({ result: "fail", subject: "setting", message })));
      findings.push(...config.unknownNames.map(unknownName));
      if (wanted !== undefined) {
        for (const { env, value, fallback, origin, meaning } of describeConfig(config)) {
          process.stdout.write(`${env}=${value ?? `(${fallback})`} (${origin})\n    ${meaning}\n`);
        }
      } else if (config.problems.length === 0)
        findings.push(...(await checkEverything(config.settings, file.providers)));
      for (const { result, subject, message } of findings)
        process.stdout.write(`${result.padEnd(4)}  ${subject}: ${message}\n`);
      if (findings.some(({ result }) => result === "fail")) process.exitCode = exitCodes.failed;
    });
}

async function checkConfigFile(named: string | undefined): Promise<{ file: ConfigFile; findings: Finding[] }> {
  const subject = "config file";
  try {
    const file = await loadConfigFile(namedConfigFile(named));
    const { pipelines } = createRegistry(file.pipelines);
    if (file.path === undefined) {
      return {
        file,
        findings: [
          {
            result: "ok",
            subject,
            message:
              "none; docmill.config.ts, or what DOCMILL_CONFIG names, would add pipelines and providers of your own",
          },
        ],
      };
    }
    const kinds = pipelines.map(({ kind }) => kind).join(", ") || "none";
    const own = Object.keys(file.providers).join(", ");
    const message = `${file.path}, pipelines: ${kinds}${own && `, providers: ${own}`}`;
    return { file, findings: [{ result: "ok", subject, message }] };
  } catch (error) {
    return { file: noConfigFile, findings: [{ result: "fail", subject, message: (error as Error).message }] };
  }
}

function unknownName(name: string): Finding {
  return {
    result: "warn",
    subject: "setting",
    message: `${name} is in the environment and is no setting of Docmill. Misspelt? See docmill doctor --config.`,
  };
}
