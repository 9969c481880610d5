/** What a run of the benches was asked to do, from its command line. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Suites and scenarios to run; every suite that is about speed, if none is named. */
  names: readonly string[];
  help: boolean;
  /** Fewer rounds and smaller loads: for a first look, not for a claim. */
  quick: boolean;
  json: boolean;
  withoutPeers: boolean;
  /** Where our worker's and PostgreSQL's time goes, instead of a comparison. */
  profile: boolean;
  /** `embedded`, the version of a PostgreSQL installed by the system, or the folder of one's programs. */
  server: string;
  rounds: number;
  /** Where the documents are that quality and speed are measured on; they are not part of the project. */
  corpus: string;
  /** A Docmill that runs already and may have read some of the corpus; undefined: one is started. */
  docmill: string | undefined;
}

export const usage = `npm run bench -- [suite | scenario | suite/scenario]… [--quick] [--json] [--without-peers] [--rounds <n>]
                        [--server embedded|15|<folder of programs>] [--corpus <folder>] [--docmill <url>]
                        [--profile] [--help]`;

const corpusBesideProject = fileURLToPath(new URL("../../../shared/corpus", import.meta.url));

const fullRounds = 5;
const quickRounds = 3;

export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "without-peers": { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      server: { type: "string", default: "embedded" },
      rounds: { type: "string" },
      corpus: { type: "string" },
      docmill: { type: "string" },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? quickRounds : fullRounds));
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError("--rounds takes a whole number from 1");
  return {
    names: positionals,
    help: values.help,
    quick: values.quick,
    json: values.json,
    withoutPeers: values["without-peers"],
    profile: values.profile,
    server: values.server,
    rounds,
    corpus: values.corpus === undefined ? corpusBesideProject : resolve(values.corpus),
    docmill: values.docmill,
  };
}
