/** The whole product as a person has it at home: `docmill serve` with its own database, which can be killed and started again. */
import { join } from "node:path";
import { type DocmillProcess, startServe } from "./docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";

export interface ServedPlace extends AsyncDisposable {
  readonly url: string;
  /** As `kill -9` ends it; resolves when the process is gone. */
  kill(): Promise<void>;
  /** At the same address and on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Settings are for all processes of the place. */
export async function openServedPlace(env: Record<string, string> = {}): Promise<ServedPlace> {
  const folder = await makeTemporaryFolder();
  const serve = (port: string) => startServe(["--port", port, "--data-dir", join(folder, "data")], { env });
  const first = await serve("0");
  const { url } = first;
  let server: DocmillProcess = first.server;
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    await server.ended;
  };
  const close = async () => {
    await end("SIGTERM");
    await removeTemporaryFolder(folder);
  };
  return {
    url,
    kill: () => end("SIGKILL"),
    async restart() {
      server = (await serve(new URL(url).port)).server;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
