/**
 * Stands between an engine and its database and cuts a connection at a chosen moment: when a commit has been made and
 * its answer is on the way. Nothing else brings a client into that doubt for certain.
 */
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";

export interface CuttingProxy {
  /** The same database, through the proxy. */
  url: string;
  /**
   * Cuts the connection over which a statement with this text was sent, when the transaction it belongs to has been
   * committed, before the client hears of it. Resolves when that has happened.
   */
  cutAfterCommitOf(text: string): Promise<void>;
  close(): Promise<void>;
}

/** ReadyForQuery with no transaction open: what was sent has been committed or undone. */
const readyAndIdle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function openCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  const connectToServer = () =>
    socketFolder?.startsWith("/")
      ? createConnection(join(socketFolder, `.s.PGSQL.${port}`))
      : createConnection(port, socketFolder ?? target.hostname);
  const sockets = new Set<Socket>();
  let armed: { text: Buffer; done: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = connectToServer();
    let marked: typeof armed;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (data) => {
      if (armed && data.includes(armed.text)) {
        marked = armed;
        armed = undefined;
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (marked && data.includes(readyAndIdle)) {
        end();
        marked.done();
      } else client.write(data);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    cutAfterCommitOf: (text) =>
      new Promise((done) => {
        armed = { text: Buffer.from(text), done };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
