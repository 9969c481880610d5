/**
 * `docmill serve` until it says that it is ready and answers: the first time, when it makes its database, and later, on
 * the same folder. Nothing is kept between starts but the data folder: no cache of translated sources helps.
 */
import { startServe } from "../../../test/support/docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { median } from "../../harness/result.ts";

const mostFirstMs = 6_000;
const mostLaterMs = 2_000;

export const start: Scenario = {
  name: "start",
  title: "docmill serve until it is ready",
  async run(bench) {
    const settled = await makeTemporaryFolder();
    try {
      await timeStart(settled);
      const facts = { contender: "docmill", unit: "ms" };
      const { measured, skipped } = await takeTurns(bench, [
        {
          ...facts,
          case: "first start",
          async measure() {
            const folder = await makeTemporaryFolder();
            try {
              return await timeStart(folder);
            } finally {
              await removeTemporaryFolder(folder);
            }
          },
        },
        { ...facts, case: "later start", measure: () => timeStart(settled) },
      ]);
      const middle = (name: string) => median(measured.find((entry) => entry.case === name)?.values ?? []);
      return {
        scenario: this.name,
        measured,
        skipped,
        bars: [
          { what: "first start, ms", value: middle("first start"), sense: "at most", bar: mostFirstMs },
          { what: "later start, ms", value: middle("later start"), sense: "at most", bar: mostLaterMs },
        ],
      };
    } finally {
      await removeTemporaryFolder(settled);
    }
  },
};

async function timeStart(folder: string): Promise<number> {
  const env = { DOCMILL_LOG_LEVEL: "warn", DOCMILL_DATA_DIR: folder, NODE_DISABLE_COMPILE_CACHE: "1" };
  const startedAt = now();
  const { server, url } = await startServe(["--port", "0"], { env, cwd: folder });
  try {
    const { status } = await fetch(`${url}/readyz`);
    const ms = now() - startedAt;
    if (status !== 200) throw new Error(`a server that said it was ready answered ${status}`);
    return ms;
  } finally {
    server.kill("SIGTERM");
    await server.ended;
  }
}
