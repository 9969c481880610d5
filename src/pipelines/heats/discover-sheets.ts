/**
 * Finds the PDF files that a meet's web page links to, by an address a person gave. What goes wrong is one of the codes
 * INVALID_URL, BLOCKED_URL, FETCH_FAILED, PAGE_TOO_LARGE and NO_PDFS_FOUND.
 */
import { type Download, downloadUrl } from "../../download/fetch-url.ts";
import { DocmillError, TerminalError } from "../../errors.ts";
import { cleanText, decodeText } from "../../formats/flow/decode-text.ts";
import { findPdfLinks } from "../../heatsheets/find-pdf-links.ts";

export interface DiscoverOptions {
  /** Hosts, host:port and ranges that are exempt from the guard. */
  allow: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal;
}

interface DiscoveredSheet {
  url: string;
  title: string;
}

const maxPageBytes = 5 * 2 ** 20;
/** Readers of PDF look as far for its mark. */
const markBytes = 1024;

export async function discoverSheets(url: string, options: DiscoverOptions): Promise<DiscoveredSheet[]> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TerminalError("INVALID_URL", "This is not the address of a web page (http or https).");
  }
  try {
    // A PDF may be larger than any page; it is not read, so the limit for pages is kept here.
    const maxBytes = Number.MAX_SAFE_INTEGER;
    const accept = "text/html, application/xhtml+xml, application/pdf;q=0.9, */*;q=0.5";
    const download = await downloadUrl(url, { ...options, maxBytes, accept });
    const page = await readPage(download);
    if (page === "pdf") return [toSheet(url, download)];
    const found = findPdfLinks(decodePage(page, download.contentType), download.finalUrl);
    if (found.length > 0) return found;
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    throw discoveryError(error);
  }
  throw new TerminalError("NO_PDFS_FOUND", "The page links to no PDF files.");
}

/** The page's bytes, or that there is no page but a PDF. */
async function readPage(download: Download): Promise<Buffer | "pdf"> {
  if (/^application\/(?:x-)?pdf\b/i.test(download.contentType?.trim() ?? "")) {
    download.cancel();
    return "pdf";
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of download.body) {
    if (size < markBytes && startsAsPdf(Buffer.concat([...chunks, chunk]))) return "pdf";
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxPageBytes) {
      throw new TerminalError("PAGE_TOO_LARGE", `The page is larger than ${maxPageBytes / 2 ** 20} MB.`);
    }
  }
  return Buffer.concat(chunks);
}

function startsAsPdf(head: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head.toString("latin1", 0, markBytes));
}

/** What the server says comes first, as it does for browsers; then what the page says. */
function decodePage(page: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
  if (charset) {
    try {
      return cleanText(new TextDecoder(charset, { fatal: true }).decode(page));
    } catch {
      // An unknown name, or bytes that are not what they were said to be.
    }
  }
  return decodeText(page, { declared: "markup" });
}

/** By the address that was given: where it redirects to is often for a few minutes only. */
function toSheet(given: string, { filename }: Download): DiscoveredSheet {
  const url = new URL(given);
  url.hash = "";
  return { url: url.href, title: filename ?? url.hostname };
}

function discoveryError(error: unknown): unknown {
  if (!(error instanceof DocmillError)) return error;
  const { code, message, retryable, retryAfterMs, details } = error;
  if (code === "PAGE_TOO_LARGE" || code === "INVALID_URL") return error;
  if (code === "URL_FORBIDDEN") return new TerminalError("BLOCKED_URL", message, { cause: error });
  const options = { cause: error, retryable, retryAfterMs, details };
  return new DocmillError("FETCH_FAILED", `The page could not be fetched. ${message}`, options);
}
