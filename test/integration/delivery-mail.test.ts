/** Mail goes out through a real SMTP server, and whatever that server does becomes an error the engine can act on. */
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { inspect } from "node:util";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type Mail, type Mailer, type MailerOptions, openMailer } from "../../src/delivery/send-mail.ts";
import { makeCertificate } from "../support/self-signed-certificate.ts";
import { until } from "../support/until.ts";

interface Received {
  session: SMTPServerSession;
  recipients: string[];
  email: Email;
}

const user = "mill@example.org";
const pass = "p4:ss/w@rd";
const mail: Mail = {
  to: "parent@example.org",
  subject: "The schedule is ready",
  text: "Nine swims.",
  messageId: "batch-1@docmill.example",
};
const never = new AbortController().signal;
/** Longer than a test may take: what ends earlier was ended by something else. */
const patient = { timeoutMs: 600_000 };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startSmtp(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    // Without it every end of a test would wait for idle connections.
    closeTimeout: 10,
    onData(stream, session, done) {
      buffer(stream)
        .then(async (raw) => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ session: { ...session }, recipients, email: await PostalMime.parse(raw) });
          done();
        })
        .catch(done);
    },
    ...options,
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { received, port: (server.server.address() as AddressInfo).port };
}

/** A server of a few lines, for what no real one can be made to do. */
async function startRaw(serve: (socket: net.Socket) => void) {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { sockets, port: (server.address() as AddressInfo).port };
}

/** Answers each command by its first word; `undefined` is silence. */
function answering(answers: Record<string, string | undefined>) {
  return (socket: net.Socket) => {
    socket.write("220 mail.example.org ESMTP\r\n");
    socket.on("data", (data) => {
      for (const line of data.toString("latin1").split("\r\n")) {
        const answer = answers[line.split(/[ :]/)[0] ?? ""];
        if (answer) socket.write(`${answer}\r\n`);
      }
    });
  };
}

function open(port: number, options: Partial<MailerOptions> & { query?: string; credentials?: string } = {}): Mailer {
  const { query = "", credentials, ...others } = options;
  const url = `smtp://${credentials ? `${credentials}@` : ""}127.0.0.1:${port}${query}`;
  const mailer = openMailer({ url, from: "Docmill <docmill@example.org>", ...others });
  ends.push(() => mailer.close());
  return mailer;
}

const credentialsOf = (name: string, password: string) => `${encodeURIComponent(name)}:${encodeURIComponent(password)}`;

test("a message arrives as it was given", async () => {
  const { received, port } = await startSmtp();
  const text = "Line one\n.\n..dots and ümlauts 🏊\n\nlast line";
  const attachments = [
    { filename: "swims.ics", contentType: "text/calendar; charset=utf-8; method=PUBLISH", content: "BEGIN:VCALENDAR" },
    { filename: "bytes.bin", contentType: "application/octet-stream", content: new Uint8Array([0, 13, 10, 255]) },
  ];
  await open(port).send({ ...mail, subject: "Zoë: 9 swims", text, html: "<p>Nine swims.</p>", attachments }, never);

  const [{ email, recipients } = {} as Received] = received;
  expect(received).toHaveLength(1);
  expect(recipients).toEqual(["parent@example.org"]);
  expect(email.from).toMatchObject({ name: "Docmill", address: "docmill@example.org" });
  expect(email.to?.map(({ address }) => address)).toEqual(["parent@example.org"]);
  expect(email.subject).toBe("Zoë: 9 swims");
  expect(email.text?.trimEnd()).toBe(text);
  expect(email.html?.trim()).toBe("<p>Nine swims.</p>");
  expect(email.messageId).toBe("<batch-1@docmill.example>");
  expect(email.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
  expect(email.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    ["swims.ics", "text/calendar"],
    ["bytes.bin", "application/octet-stream"],
  ]);
  expect(Buffer.from(email.attachments[1]?.content as ArrayBuffer)).toEqual(Buffer.from([0, 13, 10, 255]));
});

test("a message that is sent again has the id it had before", async () => {
  const { received, port } = await startSmtp();
  const mailer = open(port);
  await mailer.send(mail, never);
  await mailer.send(mail, never);
  const ids = received.map(({ email }) => email.messageId);
  expect(ids).toEqual(["<batch-1@docmill.example>", "<batch-1@docmill.example>"]);
});

test.each([
  "parent@example.org\r\nBcc: other@example.org",
  "parent@example.org\nRCPT TO:<other@example.org>",
  "parent@example.org, other@example.org",
  "Parent <parent@example.org>",
  "parent@example.org\u2028",
  "parent@@example.org",
  "parent",
  "",
])("%j is no address", async (to) => {
  const { received, port } = await startSmtp();
  await expect(open(port).send({ ...mail, to }, never)).rejects.toMatchObject({ code: "INVALID_ADDRESS" });
  expect(received).toEqual([]);
});

test("line ends in a subject or a file's name make no headers", async () => {
  const { received, port } = await startSmtp();
  const attachments = [{ filename: 'a"\r\nX-Made: file', contentType: "text/plain\r\nX-Made: type", content: "x" }];
  await open(port).send({ ...mail, subject: "Ready\r\nBcc: other@example.org\r\n\r\nbody", attachments }, never);
  const [{ email, recipients } = {} as Received] = received;
  expect(recipients).toEqual(["parent@example.org"]);
  expect(email.headers.map(({ key }) => key)).not.toContain("bcc");
  expect(email.subject).toBe("Ready Bcc: other@example.org body");
  expect(email.text?.trim()).toBe("Nine swims.");
  expect(inspect(email.attachments[0]?.filename)).not.toMatch(/\\[rn]/);
  expect(email.headers.map(({ key }) => key)).not.toContain("x-made");
});

test("a message's id is an id and nothing else", async () => {
  const { received, port } = await startSmtp();
  const sent = open(port).send({ ...mail, messageId: "a@b>\r\nBcc: other@example.org" }, never);
  await expect(sent).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  expect(received).toEqual([]);
});

const authenticating: SMTPServerOptions = {
  authOptional: false,
  onAuth({ username, password }, _session, done) {
    if (username === user && password === pass) done(null, { user: username });
    else done(new Error(`No such login: ${username} ${password} ${Buffer.from(password ?? "").toString("base64")}`));
  },
};

test("logs in with the user and password of the address", async () => {
  const { received, port } = await startSmtp(authenticating);
  const mailer = open(port, { credentials: credentialsOf(user, pass) });
  await mailer.check();
  expect(received).toEqual([]);
  await mailer.send(mail, never);
  expect(received[0]?.session.user).toBe(user);
});

test("a wrong password is refused for good and stays secret", async () => {
  const { port } = await startSmtp(authenticating);
  const wrong = "wr0ng-s3cret";
  const mailer = open(port, { credentials: credentialsOf(user, wrong) });
  for (const attempt of [() => mailer.send(mail, never), () => mailer.check()]) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "TerminalError", code: "MAIL_REFUSED", details: { status: 535 } });
    expect(String((error as Error).message)).toContain("No such login: [hidden] [hidden] [hidden]");
    const everything = inspect(error, { depth: 10, showHidden: true });
    expect(everything).not.toContain(wrong);
    expect(everything).not.toContain(Buffer.from(wrong).toString("base64"));
    expect(everything).not.toContain(user);
  }
});

test("a login that is refused for now is worth another attempt", async () => {
  const { port } = await startRaw(
    answering({ EHLO: "250-mail\r\n250 AUTH PLAIN", AUTH: "454 4.7.0 Temporary authentication failure" }),
  );
  const sent = open(port, { credentials: credentialsOf(user, pass) }).send(mail, never);
  await expect(sent).rejects.toMatchObject({ name: "RetryableError", code: "SERVICE_UNAVAILABLE" });
});

test("greylisting: refused for now, then taken", async () => {
  let attempts = 0;
  const { received, port } = await startSmtp({
    onRcptTo(_address, _session, done) {
      attempts += 1;
      done(attempts === 1 ? Object.assign(new Error("Greylisted, try again"), { responseCode: 451 }) : null);
    },
  });
  const mailer = open(port);
  await expect(mailer.send(mail, never)).rejects.toMatchObject({
    name: "RetryableError",
    code: "SERVICE_UNAVAILABLE",
    retryable: true,
    details: { status: 451 },
  });
  await mailer.send(mail, never);
  expect(received).toHaveLength(1);
});

test("an unknown recipient is an invalid address, and the error does not name it", async () => {
  const { port } = await startSmtp({
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`<${address.toUpperCase()}> is unknown here`), { responseCode: 550 })),
  });
  const error = await open(port)
    .send(mail, never)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "TerminalError", code: "INVALID_ADDRESS", details: { status: 550 } });
  expect((error as Error).message).toContain("<[hidden]> is unknown here");
  expect(inspect(error, { depth: 10 })).not.toMatch(/parent@example/i);
});

test.each([
  ["a sender that may not send here", { RCPT: "550 5.7.1 Relaying denied" }, "MAIL_REFUSED"],
  ["a sender it does not know", { MAIL: "553 5.1.8 Sender unknown" }, "MAIL_REFUSED"],
  ["no login where one is needed", { RCPT: "530 5.7.0 Authentication required" }, "MAIL_REFUSED"],
  ["no such user, without a class", { RCPT: "550 No such user" }, "INVALID_ADDRESS"],
  ["a message it takes for spam", { "": "554 5.7.1 Spam" }, "MAIL_REFUSED"],
  ["too many messages", { MAIL: "421 4.7.0 Too many messages" }, "SERVICE_UNAVAILABLE"],
])("%s", async (_name, answers, code) => {
  const usual = { EHLO: "250 mail", MAIL: "250 ok", RCPT: "250 ok", DATA: "354 go on", ".": "250 ok" };
  const spam = "" in answers ? { ".": answers[""] } : {};
  const { port } = await startRaw(answering({ ...usual, ...answers, "": undefined, ...spam }));
  const retryable = code === "SERVICE_UNAVAILABLE";
  await expect(open(port).send(mail, never)).rejects.toMatchObject({ code, retryable });
});

test.each([
  ["greets", (_socket: net.Socket) => undefined],
  ["answers a command", answering({ EHLO: "250 mail" })],
  ["confirms the message", answering({ EHLO: "250 mail", MAIL: "250 ok", RCPT: "250 ok", DATA: "354 go on" })],
])("a server that never %s is given up on, for now", async (_name, serve) => {
  const { sockets, port } = await startRaw(serve);
  const sent = open(port, { timeoutMs: 150 }).send(mail, never);
  await expect(sent).rejects.toMatchObject({ name: "RetryableError", code: "TIMEOUT" });
  await until(() => sockets.size === 0);
});

test("a connection that is dropped in the middle of the message is worth another attempt", async () => {
  let drop = true;
  const { received, port } = await startSmtp({
    onData(stream, session, done) {
      buffer(stream)
        .then(async (raw) => {
          received.push({ session, recipients: [], email: await PostalMime.parse(raw) });
          done();
        })
        .catch(done);
    },
  });
  const proxy = await startRaw((socket) => {
    const onward = net.connect(port, "127.0.0.1");
    onward.on("error", () => undefined);
    onward.pipe(socket);
    socket.on("close", () => onward.destroy());
    socket.on("data", (data) => {
      if (drop && data.includes("Subject:")) {
        drop = false;
        socket.resetAndDestroy();
      } else onward.write(data);
    });
  });
  const mailer = open(proxy.port);
  await expect(mailer.send(mail, never)).rejects.toMatchObject({ name: "RetryableError", code: "NETWORK_ERROR" });
  expect(received).toEqual([]);
  await mailer.send(mail, never);
  expect(received.map(({ email }) => email.messageId)).toEqual(["<batch-1@docmill.example>"]);
});

test("a server that is not there is worth another attempt", async () => {
  const { port } = await startRaw(() => undefined);
  await ends.pop()?.();
  await expect(open(port).check()).rejects.toMatchObject({ name: "RetryableError", code: "NETWORK_ERROR" });
});

test("an abort breaks off what is being sent and closes the connection", async () => {
  const { sockets, port } = await startRaw(answering({ EHLO: "250 mail" }));
  const controller = new AbortController();
  const sent = open(port, patient).send(mail, controller.signal);
  const outcome = expect(sent).rejects.toThrow("enough");
  await until(() => sockets.size === 1);
  controller.abort(new Error("enough"));
  await outcome;
  await until(() => sockets.size === 0);
});

test("closing breaks off what is being sent, and nothing is sent afterwards", async () => {
  const { sockets, port } = await startRaw(answering({ EHLO: "250 mail" }));
  const mailer = open(port, patient);
  const outcome = expect(mailer.send(mail, never)).rejects.toMatchObject({ code: "NETWORK_ERROR", retryable: true });
  await until(() => sockets.size === 1);
  mailer.close();
  await outcome;
  await until(() => sockets.size === 0);
  await expect(mailer.send(mail, never)).rejects.toMatchObject({ code: "NETWORK_ERROR", retryable: true });
});

test.each([
  ["STARTTLS", "smtp", {}],
  ["TLS from the first byte", "smtps", { secure: true }],
])("%s: a certificate that nobody vouches for is refused unless the operator says otherwise", async (...args) => {
  const [, protocol, secure] = args;
  const { received, port } = await startSmtp({ ...makeCertificate(), ...secure, disabledCommands: [] });
  const url = `${protocol}://localhost:${port}`;
  const careful = openMailer({ url, from: "docmill@example.org" });
  onTestFinished(() => careful.close());
  await expect(careful.send(mail, never)).rejects.toMatchObject({ name: "TerminalError", code: "TLS_ERROR" });
  expect(received).toEqual([]);

  const trusting = openMailer({ url: `${url}?tls.rejectUnauthorized=false`, from: "docmill@example.org" });
  onTestFinished(() => trusting.close());
  await trusting.send(mail, never);
  expect(received[0]?.session.secure).toBe(true);
});

test("a server without STARTTLS is refused where it is required", async () => {
  const { received, port } = await startSmtp();
  await expect(open(port, { query: "?requireTLS=true" }).send(mail, never)).rejects.toMatchObject({
    name: "TerminalError",
    code: "MAIL_REFUSED",
  });
  expect(received).toEqual([]);
});

test.each(["", "mail.example.org", "https://mill:s3cret@mail.example.org", "smtp://", "smtp://mill:s3cret%@mail:25"])(
  "%j names no mail server, and the error does not repeat it",
  (url) => {
    const from = "docmill@example.org";
    expect(() => openMailer({ url, from })).toThrow(expect.objectContaining({ code: "INVALID_MAIL_URL" }));
    expect(() => openMailer({ url, from })).not.toThrow(/s3cret/);
  },
);

test.each(["Docmill", "docmill@example.org\r\nBcc: other@example.org"])("%j is no sender", (from) => {
  expect(() => openMailer({ url: "smtp://localhost", from })).toThrow(
    expect.objectContaining({ code: "INVALID_ADDRESS" }),
  );
});
