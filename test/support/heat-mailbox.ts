/** A mail server that keeps what it gets, and a web server that keeps the webhooks it gets; both can be made to refuse. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface Mailbox {
  /** As DOCMILL_SMTP_URL takes it. */
  url: string;
  received: { to: string; email: Email }[];
  /** Codes for the next messages, instead of taking them. */
  refusals: number[];
  /** Resolves when a message is there whose answer is held back; the function lets it go. */
  holdNext(): Promise<() => void>;
  close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const received: Mailbox["received"] = [];
  const refusals: number[] = [];
  let held: ((letGo: () => void) => void) | undefined;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 10,
    onRcptTo(_address, _session, done) {
      const code = refusals.shift();
      done(code === undefined ? null : Object.assign(new Error("not now"), { responseCode: code }));
    },
    onData(stream, session, done) {
      buffer(stream)
        .then(async (raw) => {
          received.push({ to: session.envelope.rcptTo[0]?.address ?? "", email: await PostalMime.parse(raw) });
          const hold = held;
          held = undefined;
          if (hold) hold(() => done());
          else done();
        })
        .catch(done);
    },
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refusals,
    holdNext: () =>
      new Promise((resolve) => {
        held = resolve;
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface Hook {
  url: string;
  received: { headers: IncomingHttpHeaders; body: string; status: number }[];
  /** Statuses for the next calls, instead of 204. */
  refusals: number[];
  close(): Promise<void>;
}

export async function startHook(): Promise<Hook> {
  const received: Hook["received"] = [];
  const refusals: number[] = [];
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => {
        const status = refusals.shift() ?? 204;
        received.push({ headers: request.headers, body: body.toString(), status });
        response.writeHead(status).end();
      })
      .catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    refusals,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
