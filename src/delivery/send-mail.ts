/**
 * Sends mail through the operator's SMTP server, one connection a message. A message that is sent again after a crash
 * carries the Message-ID it had before, so that whoever gets both can tell that they are one.
 */
import net from "node:net";
import { createTransport } from "nodemailer";
import { DocmillError, RetryableError, TerminalError } from "../errors.ts";
import { type MailSecrets, mailError } from "./mail-error.ts";
import { type MailServer, parseMailUrl } from "./parse-mail-url.ts";

export interface Mail {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  attachments?: readonly MailAttachment[];
  /** `name@host`, without angle brackets: the same for every attempt to send the same message. */
  messageId: string;
}

interface MailAttachment {
  filename: string;
  contentType: string;
  content: string | Uint8Array;
}

export interface Mailer {
  /** Throws a RetryableError where another attempt may succeed, else INVALID_ADDRESS, MAIL_REFUSED or TLS_ERROR. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  /** Connects and logs in, and sends nothing. */
  check(signal?: AbortSignal): Promise<void>;
  /** Breaks off what is being sent; nothing can be sent afterwards. */
  close(): void;
}

export interface MailerOptions {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte. */
  url: string;
  /** `Docmill <docmill@example.org>`, or the address alone. */
  from: string;
  /** For connecting, for the greeting, and for every later silence of the server. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

export function openMailer({ url, from, timeoutMs = defaultTimeoutMs }: MailerOptions): Mailer {
  const server = parseMailUrl(url);
  if (oneLine(from) !== from || !/[^\s@<>]@[^\s@<>]/.test(from)) {
    throw new TerminalError("INVALID_ADDRESS", "The sender has no email address.");
  }
  const closing = new AbortController();

  async function connected<Result>(
    secrets: MailSecrets,
    signal: AbortSignal | undefined,
    work: (transport: ReturnType<typeof openTransport>) => Promise<Result>,
  ): Promise<Result> {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    stop.throwIfAborted();
    const transport = openTransport(server, timeoutMs, stop);
    try {
      return await untilAborted(work(transport), stop);
    } catch (error) {
      stop.throwIfAborted();
      throw error instanceof DocmillError ? error : mailError(error, secrets);
    } finally {
      transport.close();
    }
  }

  return {
    async send(mail, signal) {
      const message = toMessage(mail, from);
      await connected({ ...server.auth, to: mail.to }, signal, (transport) => transport.sendMail(message));
    },
    async check(signal) {
      await connected({ ...server.auth }, signal, (transport) => transport.verify());
    },
    close() {
      closing.abort(new RetryableError("NETWORK_ERROR", "The mailer was closed."));
    },
  };
}

/** The socket is opened here, because nodemailer has no other way to break off a connection. */
function openTransport({ host, port, ...server }: MailServer, timeoutMs: number, signal: AbortSignal) {
  return createTransport({
    ...server,
    host,
    port,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, callback) {
      const socket = net.connect({ host, port, signal, autoSelectFamilyAttemptTimeout: 2_000, timeout: timeoutMs });
      const fail = (error: Error) => callback(error, false);
      socket.once("error", fail);
      socket.once("timeout", () => {
        socket.destroy(Object.assign(new Error("The connection was not made in time."), { code: "ETIMEDOUT" }));
      });
      socket.once("connect", () => {
        socket.off("error", fail).removeAllListeners("timeout").setTimeout(0);
        // After STARTTLS nobody else listens to this socket; an abort must not end the process.
        socket.on("error", () => undefined);
        callback(null, { connection: socket });
      });
    },
  });
}

function toMessage(mail: Mail, from: string) {
  // Quoted local parts and comments are valid and unused; without them no address can hold two.
  if (mail.to.length > 254 || !/^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u.test(mail.to)) {
    throw new TerminalError("INVALID_ADDRESS", "This is not an email address.");
  }
  if (!/^[\w.+-]+@[\w.-]+$/.test(mail.messageId)) {
    throw new TerminalError("INVALID_MESSAGE", "A message's id has the form name@host.");
  }
  return {
    from,
    to: { name: "", address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.messageId}>`,
    // Holiday notices do not answer what says this (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: mail.attachments?.map(({ filename, contentType, content }) => ({
      filename: oneLine(filename),
      contentType: oneLine(contentType),
      content: typeof content === "string" ? content : Buffer.from(content),
    })),
  };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Nodemailer does not always report that its connection is gone. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
