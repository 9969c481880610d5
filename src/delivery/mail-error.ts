/**
 * What went wrong with a message, from the server's answer or the connection's end. Messages quote the server without
 * the recipient and without credentials, and have no cause: an error is kept longer than either may be.
 */
import { type DocmillError, RetryableError, TerminalError } from "../errors.ts";

/** What must not appear in a message. */
export interface MailSecrets {
  user?: string;
  pass?: string;
  to?: string;
}

/** What nodemailer puts on its errors. */
interface SmtpError {
  code?: unknown;
  /** The system's own code, where `code` is nodemailer's. */
  originalCode?: unknown;
  response?: unknown;
  responseCode?: unknown;
  command?: unknown;
}

const longestExcerpt = 200;
const certificateCodes = /^(CERT_|ERR_TLS_CERT|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

export function mailError(error: unknown, secrets: MailSecrets): DocmillError {
  const { code, originalCode, responseCode, command, response } = (error ?? {}) as SmtpError;
  const reason = [originalCode, code].find((each) => typeof each === "string") ?? "unknown error";
  if (typeof responseCode === "number" && responseCode >= 400) {
    return answerError(responseCode, String(response ?? responseCode), command === "RCPT TO", secrets);
  }
  if (certificateCodes.test(reason)) {
    return new TerminalError("TLS_ERROR", `The mail server's certificate cannot be trusted (${reason}).`);
  }
  if (code === "ETIMEDOUT" || originalCode === "ETIMEDOUT") {
    return new RetryableError("TIMEOUT", "The mail server did not answer in time.");
  }
  switch (code) {
    case "EAUTH":
    case "ENOAUTH":
      return new TerminalError("MAIL_REFUSED", "The mail server does not take the user and password it was given.");
    case "EENVELOPE":
      return new TerminalError("INVALID_ADDRESS", "This is not an address that mail can be sent to.");
    case "EMESSAGE":
      return new TerminalError("MAIL_REFUSED", "The message is larger than the mail server takes.");
    default: {
      const message = `The mail server could not be reached, or the connection broke (${reason}).`;
      return new RetryableError("NETWORK_ERROR", message);
    }
  }
}

function answerError(status: number, response: string, atRecipient: boolean, secrets: MailSecrets): DocmillError {
  const message = `The mail server answered: ${excerptOf(response, secrets)}`;
  const details = { details: { status } };
  // Greylisting, a full queue, a mailbox that is over its limit for now.
  if (status < 500) return new RetryableError("SERVICE_UNAVAILABLE", message, details);
  // 550 at this point also says that the sender may not send here (5.7.x), which no other recipient would help.
  const unknownRecipient = atRecipient && [550, 551, 553].includes(status) && !/^\d{3}[ -]5\.7\./.test(response);
  return new TerminalError(unknownRecipient ? "INVALID_ADDRESS" : "MAIL_REFUSED", message, details);
}

function excerptOf(response: string, { user, pass, to }: MailSecrets): string {
  let shown = response.slice(0, 10 * longestExcerpt);
  // AUTH PLAIN sends both in one word.
  if (user && pass) shown = shown.replaceAll(Buffer.from(`\0${user}\0${pass}`).toString("base64"), "[hidden]");
  for (const secret of [pass, user, to]) {
    if (!secret) continue;
    for (const form of [secret, Buffer.from(secret).toString("base64")]) {
      // Servers repeat addresses in lower case.
      shown = shown.replace(new RegExp(form.replace(/\W/g, "\\$&"), "gi"), "[hidden]");
    }
  }
  shown = shown
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  return shown.length > longestExcerpt ? `${shown.slice(0, longestExcerpt).toWellFormed()}…` : shown;
}
