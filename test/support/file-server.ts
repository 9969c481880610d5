/** Serves files over HTTP on loopback, for documents that are fetched; a download can be held half-way. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SampleFile } from "./document-place.ts";

export interface FileServer {
  /** As DOCMILL_FETCH_ALLOW takes it. */
  host: string;
  /** Serves the file from now on; answers its address. */
  serve(file: SampleFile): string;
  /** The next request gets half of its file, and the rest never. Resolves when that half is on its way. */
  holdNext(): Promise<void>;
  close(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, SampleFile>();
  let hold: (() => void) | undefined;
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { "content-length": file.bytes.length });
    if (!hold) return void response.end(file.bytes);
    const held = hold;
    hold = undefined;
    response.write(file.bytes.subarray(0, file.bytes.length / 2), held);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    serve(file) {
      files.set(`/${file.name}`, file);
      return `http://${host}/${file.name}`;
    },
    holdNext: () =>
      new Promise((resolve) => {
        hold = resolve;
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
