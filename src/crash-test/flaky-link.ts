/**
 * A worker's line to the database, which can be cut and stalled. Bytes that were on their way when it was cut may still
 * reach the server later, as they do in real networks: the worker thinks its commit is lost, and then it lands.
 */
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface FlakyLink {
  readonly port: number;
  /** Breaks every connection; with `lateMs`, what comes in until then is delivered so much later. */
  cut(lateMs: number): Promise<void>;
  /** Lets nothing through in either direction for so long; afterwards everything arrives. */
  stall(ms: number): Promise<void>;
  close(): Promise<void>;
}

interface Line {
  client: Socket;
  server: Socket;
}

/** Long enough for a statement that a worker is about to send to be caught by a cut. */
const catchMs = 30;

export async function openFlakyLink(target: NetConnectOpts): Promise<FlakyLink> {
  const lines = new Set<Line>();
  let stalled = false;
  const listener = createServer((client) => {
    const server = connect(target);
    const line: Line = { client, server };
    lines.add(line);
    const end = () => {
      lines.delete(line);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", end);
    }
    client.pipe(server);
    server.pipe(client);
    if (stalled) stallLine(line);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));

  return {
    port: (listener.address() as AddressInfo).port,
    async cut(lateMs) {
      const cutNow = [...lines];
      if (lateMs > 0) await Promise.all(cutNow.map((line) => deliverLate(line, lateMs)));
      for (const { client, server } of cutNow) {
        client.destroy();
        server.destroy();
      }
    },
    async stall(ms) {
      stalled = true;
      for (const line of lines) stallLine(line);
      await delay(ms);
      stalled = false;
      for (const { client, server } of lines) {
        client.pipe(server);
        server.pipe(client);
      }
    },
    async close() {
      for (const { client, server } of lines) {
        client.destroy();
        server.destroy();
      }
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };

  async function deliverLate(line: Line, lateMs: number): Promise<void> {
    const { client, server } = line;
    lines.delete(line);
    const caught: Buffer[] = [];
    client.unpipe(server);
    client.on("data", (bytes: Buffer) => caught.push(bytes));
    client.resume();
    await delay(catchMs);
    for (const socket of [client, server]) socket.removeAllListeners("close");
    server.unpipe(client);
    server.resume();
    client.destroy();
    await delay(lateMs);
    if (server.destroyed) return;
    for (const bytes of caught) server.write(bytes);
    // The server must have taken them in before it learns that the line is gone.
    await delay(catchMs);
  }
}

function stallLine({ client, server }: Line): void {
  client.unpipe(server);
  server.unpipe(client);
  client.pause();
  server.pause();
}
