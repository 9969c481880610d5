/** Stands between a client and a server on this machine and breaks the connection after a number of bytes. */
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

export interface BreakingLink {
  port: number;
  /** Cuts the connection over which this many bytes have gone, counted over all from now on. */
  breakAfter(bytes: number, options: { towards: "server" | "client"; stayBroken: boolean }): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openBreakingLink(serverPort: number): Promise<BreakingLink> {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let towards: "server" | "client" = "server";
  let stayBroken = false;
  let broken = false;

  const server = createServer((client) => {
    const upstream = createConnection(serverPort, "127.0.0.1");
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    const pass = (from: Socket, to: Socket, direction: typeof towards) => {
      from.on("data", (data) => {
        if (direction === towards) left -= data.length;
        if (left <= 0) {
          left = Number.POSITIVE_INFINITY;
          broken = stayBroken;
          for (const socket of sockets) if (broken || socket === from || socket === to) socket.destroy();
        } else if (!to.write(data)) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      });
      sockets.add(from);
      from.on("error", end);
      from.on("close", () => {
        sockets.delete(from);
        end();
      });
    };
    pass(client, upstream, "server");
    pass(upstream, client, "client");
    if (broken) end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    breakAfter(bytes, options) {
      left = bytes;
      towards = options.towards;
      stayBroken = options.stayBroken;
    },
    mend() {
      broken = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
