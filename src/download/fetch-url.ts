/**
 * Downloads a URL that a person gave, under a guard: it never reaches what only this machine or its network can see, and
 * it is limited in size, time and redirects. Every hop is checked like the first.
 */
import type { IncomingMessage } from "node:http";
import { TerminalError } from "../errors.ts";
import { parseAllowList } from "./allow-list.ts";
import { answerError } from "./answer-error.ts";
import { toFileName } from "./file-name.ts";
import { toHeaderText } from "./header-text.ts";
import { chooseDecoder, fileTooLarge, readBody } from "./read-body.ts";
import { connectionError, requestTarget } from "./request-target.ts";
import { parseUrl, type ResolveHost, resolveHost, resolveTarget, urlForbidden } from "./resolve-target.ts";
import { startTransferWatch, type TransferWatch } from "./transfer-watch.ts";

export interface DownloadOptions {
  signal?: AbortSignal;
  maxBytes: number;
  /** For the whole download, the reading of its body included. */
  timeoutMs?: number;
  /** For every wait on the server: until it is connected and answers, and between two pieces of the body. */
  idleMs?: number;
  maxRedirects?: number;
  /** Hosts, host:port and ranges that are exempt from the guard. */
  allow?: readonly string[];
  /** The Accept header. */
  accept?: string;
  /** How names become addresses; the system's way unless told. */
  resolve?: ResolveHost;
}

export interface Download {
  /** Nothing is read ahead of whoever reads it. Once begun it may be left at any point; otherwise `cancel` ends it. */
  body: AsyncIterable<Uint8Array>;
  /** The URL that gave the file, after redirects. */
  finalUrl: string;
  /** As the server said it, parameters included; not to be believed. */
  contentType?: string;
  /** To show, not to use as a path. */
  filename?: string;
  /** What the server announced; the body may still break off. */
  size?: number;
  /** For a body that nobody will read: closes the connection, which else stays until the time is up. */
  cancel(): void;
}

export async function downloadUrl(url: string, options: DownloadOptions): Promise<Download> {
  const { maxBytes, timeoutMs = 60_000, idleMs = 30_000, maxRedirects = 5, accept = "*/*" } = options;
  const allow = parseAllowList(options.allow ?? []);
  const resolve = options.resolve ?? resolveHost;
  const watch = startTransferWatch({ signal: options.signal, timeoutMs, idleMs });
  try {
    let current = parseUrl(url);
    for (let redirects = 0; ; redirects++) {
      const target = await watch.wait(resolveTarget(current, allow, resolve));
      const response = await watch.wait(requestTarget(target, { accept, signal: watch.signal }));
      const next = redirectOf(response, current);
      if (!next) return toDownload(response, current, maxBytes, watch);
      response.destroy();
      if (redirects === maxRedirects) {
        throw new TerminalError("TOO_MANY_REDIRECTS", `The URL redirects more than ${maxRedirects} times.`);
      }
      current = next;
    }
  } catch (error) {
    watch.end();
    throw watch.signal.aborted ? watch.signal.reason : connectionError(error);
  }
}

/** Where an answer sends us, if it does. */
function redirectOf(response: IncomingMessage, from: URL): URL | undefined {
  const { location } = response.headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(response.statusCode ?? 0)) return undefined;
  try {
    const next = parseUrl(toHeaderText(location), from);
    if (from.protocol === "https:" && next.protocol === "http:") throw urlForbidden("it redirects from https to http");
    return next;
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function toDownload(response: IncomingMessage, url: URL, maxBytes: number, watch: TransferWatch): Download {
  try {
    // 204 and 206 are successes without the file that was asked for.
    if (response.statusCode !== 200 && response.statusCode !== 203) throw answerError(response);
    const decoder = chooseDecoder(response);
    const announced = response.headers["content-length"];
    const size = announced === undefined || decoder ? undefined : Number(announced);
    if (size !== undefined && size > maxBytes) throw fileTooLarge(maxBytes);
    const finalUrl = new URL(url);
    finalUrl.hash = "";
    return {
      body: readBody(response, { decoder, maxBytes, watch }),
      finalUrl: finalUrl.href,
      contentType: response.headers["content-type"],
      filename: toFileName(response.headers["content-disposition"], url),
      size,
      cancel() {
        watch.end();
        response.destroy();
      },
    };
  } catch (error) {
    response.destroy();
    throw error;
  }
}
