/**
 * A process of its own that runs an embedded database, for tests that kill it. It reports in lines of JSON what became
 * of the start, and stops in an orderly way on SIGTERM.
 */
import { startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { DocmillError } from "../../src/errors.ts";
import { silentLogger } from "./silent-logger.ts";

const options = JSON.parse(process.argv[2] ?? "{}");

try {
  const { stop, ...postgres } = await startEmbeddedPostgres({ ...options, logger: silentLogger });
  const { url, adopted, serverPid } = postgres;
  process.once("SIGTERM", () => void stop().then(() => process.exit(0)));
  report({ outcome: "up", url, adopted, serverPid });
  setInterval(() => undefined, 1_000_000);
} catch (error) {
  if (!(error instanceof DocmillError)) throw error;
  report({ outcome: "refused", code: error.code, message: error.message });
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
