/**
 * Refuses a JSON body that is too large, before it is read where its length is known, and as soon as it is too long where
 * it is not. (Hono's own limit makes a new Request of the old one, which needs Node's global Request replaced.)
 */
import type { Context, Next } from "hono";
import { DocmillError } from "../errors.ts";

const maxBodyBytes = 1024 * 1024;

export async function limitBody({ req }: Context, next: Next): Promise<void> {
  const length = req.header("content-length");
  if (length !== undefined) {
    if (Number(length) > maxBodyBytes) throw bodyTooLarge();
  } else if (req.raw.body) {
    const body = await readLimited(req.raw.body);
    // Where Hono keeps what it has read, and looks before it reads.
    Object.assign(req.bodyCache, { arrayBuffer: Promise.resolve(body) });
  }
  await next();
}

async function readLimited(stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.byteLength;
    if (bytes > maxBodyBytes) throw bodyTooLarge();
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole.buffer;
}

function bodyTooLarge(): DocmillError {
  const message = `A body may have ${maxBodyBytes} bytes at most. Put large things elsewhere and name them in the input.`;
  return new DocmillError("BODY_TOO_LARGE", message);
}
