/**
 * Ends requests whose body comes in drops. An upload may take hours as long as it goes on; a client that sends next to
 * nothing holds a connection and whatever its request holds, and a thousand of them would hold the server.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { tooSlow } from "./refuse-unreadable.ts";

export interface SlowRequestOptions {
  /** How much has to come … */
  minBytes: number;
  /** … in how long. */
  windowMs: number;
}

export function endSlowRequests(server: Server, { minBytes, windowMs }: SlowRequestOptions): void {
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.complete) return;
    const { socket } = incoming;
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      if (incoming.complete || socket.destroyed) return stop();
      const came = socket.bytesRead - seen;
      seen = socket.bytesRead;
      // What waits to be read here is our slowness, not the client's.
      if (came >= minBytes || incoming.readableLength > 0) return;
      stop();
      if (!outgoing.headersSent) socket.write(tooSlow());
      socket.destroySoon();
    }, windowMs).unref();
    const stop = () => clearInterval(timer);
    incoming.once("close", stop);
  });
}
