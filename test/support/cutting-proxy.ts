/**
 * Stands between an engine and its database and cuts a connection at a chosen moment: when a commit has been made and
 * its answer is on the way, or when a statement is on its way, which then arrives late or never. Nothing else brings a
 * client into that doubt for certain.
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
  /**
   * Cuts the connection when a statement with this text is sent, which does not arrive. Resolves when that has happened,
   * to what delivers the statement after all: the server still knows nothing of the cut.
   */
  cutInsteadOf(text: string): Promise<() => Promise<void>>;
  /** The same, for the commit of the transaction that a statement with this text belongs to. */
  cutInsteadOfCommitOf(text: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** ReadyForQuery with no transaction open: what was sent has been committed or undone. */
const readyAndIdle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

const commit = Buffer.from("commit\0");

interface Cut {
  text: Buffer;
  moment: "answer" | "statement" | "commit";
  done: (deliver?: () => Promise<void>) => void;
}

export async function openCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  const connectToServer = () =>
    socketFolder?.startsWith("/")
      ? createConnection(join(socketFolder, `.s.PGSQL.${port}`))
      : createConnection(port, socketFolder ?? target.hostname);
  const sockets = new Set<Socket>();
  let armed: Cut | undefined;
  const arm = <Done>(text: string, moment: Cut["moment"]) =>
    new Promise<Done>((done) => {
      armed = { text: Buffer.from(text), moment, done: done as Cut["done"] };
    });

  const server = createServer((client) => {
    const upstream = connectToServer();
    let marked: Cut | undefined;
    let late = false;
    const end = () => {
      client.destroy();
      if (!late) upstream.destroy();
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
      const instead = marked?.moment === "statement" || (marked?.moment === "commit" && data.includes(commit));
      if (!marked || !instead) return void upstream.write(data);
      late = true;
      client.destroy();
      marked.done(async () => {
        const answered = waitForAnswer(upstream);
        upstream.write(data);
        await answered;
        upstream.destroy();
      });
    });
    upstream.on("data", (data) => {
      if (marked?.moment === "answer" && data.includes(readyAndIdle)) {
        end();
        marked.done();
      } else if (!late) client.write(data);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    cutAfterCommitOf: (text) => arm(text, "answer"),
    cutInsteadOf: (text) => arm(text, "statement"),
    cutInsteadOfCommitOf: (text) => arm(text, "commit"),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Resolves when the server has done what it was sent, or has ended the connection instead. */
function waitForAnswer(upstream: Socket): Promise<void> {
  return new Promise((resolve) => {
    upstream.once("close", () => resolve());
    upstream.on("data", (data) => {
      if (data.includes(readyAndIdle)) resolve();
    });
  });
}
