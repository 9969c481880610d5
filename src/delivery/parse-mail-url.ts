/**
 * The SMTP server that a setting names: `smtp://user:password@host:port`. What the address says is never repeated in an
 * error, since it holds a password.
 */
import { TerminalError } from "../errors.ts";

export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte; without it STARTTLS is used wherever the server offers it. */
  secure: boolean;
  requireTLS: boolean;
  auth?: { user: string; pass: string };
  tls: { rejectUnauthorized: boolean };
}

/**
 * `?requireTLS=true` refuses a server without STARTTLS; `?tls.rejectUnauthorized=false` accepts any certificate, as
 * nodemailer spells both.
 */
export function parseMailUrl(text: string): MailServer {
  if (!URL.canParse(text)) throw invalid("it is not a URL");
  const url = new URL(text);
  const secure = url.protocol === "smtps:";
  if (!secure && url.protocol !== "smtp:") throw invalid("it begins with neither smtp:// nor smtps://");
  if (!url.hostname) throw invalid("it names no host");
  const user = decode(url.username);
  const pass = decode(url.password);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: readFlag(url, "requireTLS", false),
    tls: { rejectUnauthorized: readFlag(url, "tls.rejectUnauthorized", true) },
    ...(user || pass ? { auth: { user, pass } } : {}),
  };
}

function readFlag(url: URL, name: string, otherwise: boolean): boolean {
  const value = url.searchParams.get(name);
  if (value === null) return otherwise;
  if (value !== "true" && value !== "false") throw invalid(`${name} is neither true nor false`);
  return value === "true";
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid("a % in its user or password is not written as %25");
  }
}

function invalid(why: string): TerminalError {
  return new TerminalError("INVALID_MAIL_URL", `The address of the mail server is wrong: ${why}.`);
}
