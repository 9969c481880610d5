/** Answers with a file from storage, or the range of it that was asked for, as it is read. Files never run as pages. */
import { Readable } from "node:stream";
import type { Context } from "hono";
import { DocmillError } from "../errors.ts";
import type { BlobStore } from "../storage/blob-store.ts";
import { isKnown } from "./etag.ts";

export interface BlobToSend {
  key: string;
  size: number;
  contentType: string;
  filename: string;
  /** Names the content: it changes when the content does. */
  etag: string;
}

export async function sendBlob(c: Context, blobs: BlobStore, blob: BlobToSend): Promise<Response> {
  const etag = `"${blob.etag}"`;
  const headers: Record<string, string> = {
    "content-type": blob.contentType,
    "content-disposition": `attachment; filename*=UTF-8''${encodeName(blob.filename)}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "accept-ranges": "bytes",
    etag,
  };
  if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  const asked = c.req.header("if-range") === undefined || c.req.header("if-range") === etag;
  const range = asked ? parseRange(c.req.header("range"), blob.size) : undefined;
  const { start, end } = range ?? { start: 0, end: blob.size - 1 };
  headers["content-length"] = String(end - start + 1);
  if (range) headers["content-range"] = `bytes ${start}-${end}/${blob.size}`;
  const status = range ? 206 : 200;
  if (c.req.method === "HEAD" || blob.size === 0) return c.body(null, status, headers);
  const body = await blobs.get(blob.key, { ...range, signal: c.req.raw.signal });
  return c.body(Readable.toWeb(body) as ReadableStream, status, headers);
}

/** One range; of several, and of what is no range, the whole is answered, as the standard allows. */
function parseRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!found || (found[1] === "" && found[2] === "")) return undefined;
  const [, first, last] = found;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(first) > Number(last)) return undefined;
  if (start > end) {
    throw new DocmillError("RANGE_NOT_SATISFIABLE", `The file has ${size} bytes.`, { details: { size } });
  }
  return { start, end };
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
