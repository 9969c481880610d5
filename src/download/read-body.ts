/**
 * The body of an answer as a stream that ends in an error as soon as it is too large, too slow or cut off. What the
 * server compressed although it was asked not to is unpacked, and the size limit counts what comes out.
 */
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { TerminalError } from "../errors.ts";
import { connectionError } from "./request-target.ts";
import type { TransferWatch } from "./transfer-watch.ts";

/** Undefined for a body that is sent as it is. Throws UNSUPPORTED_ENCODING. */
export function chooseDecoder(response: IncomingMessage): Transform | undefined {
  const coding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  switch (coding) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new TerminalError("UNSUPPORTED_ENCODING", "The server compressed the file in a way that is not supported.");
  }
}

export async function* readBody(
  response: IncomingMessage,
  { decoder, maxBytes, watch }: { decoder: Transform | undefined; maxBytes: number; watch: TransferWatch },
): AsyncGenerator<Uint8Array, void, undefined> {
  // The pipeline tells the decoder of a connection that broke, now or before; the reader hears it from there.
  const source: Readable = decoder ? pipeline(response, decoder, () => undefined) : response;
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const next = await watch.wait(chunks.next());
      if (next.done) return;
      size += next.value.byteLength;
      if (size > maxBytes) throw fileTooLarge(maxBytes);
      yield next.value;
    }
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason;
    const damaged = (error as NodeJS.ErrnoException).code?.startsWith("Z_") && response.complete;
    throw damaged
      ? new TerminalError("BAD_RESPONSE", "The server's file is damaged: it cannot be unpacked.", { cause: error })
      : connectionError(error);
  } finally {
    watch.end();
    decoder?.destroy();
    response.destroy();
  }
}

export function fileTooLarge(maxBytes: number): TerminalError {
  return new TerminalError("FILE_TOO_LARGE", `The file is larger than ${maxBytes} bytes.`, { details: { maxBytes } });
}
