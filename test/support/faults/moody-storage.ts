/** S3 as it is on a bad day: stands before the real one and refuses, hangs up, holds back or breaks off as a test wants. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { startS3 } from "../blob-servers.ts";

/** A status is answered instead of what was asked for; `gone` hangs up, `held` waits, `cut` breaks off near the end of the answer. */
export type Mood = number | "well" | "gone" | "held" | "cut";

export interface MoodyStorage {
  /** Settings by which a process uses it. */
  readonly env: Record<string, string>;
  /** For requests of these methods, or of all. */
  be(mood: Mood, methods?: readonly string[]): void;
  /** How many requests were met in this way since the last change. */
  met(): number;
  close(): Promise<void>;
}

export async function startMoodyStorage(folder: string): Promise<MoodyStorage> {
  const s3 = await startS3(folder);
  let mood: Mood = "well";
  let moodyMethods: readonly string[] | undefined;
  let met = 0;
  let change = Promise.withResolvers<void>();

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isMoody = mood !== "well" && (moodyMethods?.includes(request.method ?? "") ?? true);
    if (!isMoody) return forward(request, response);
    met++;
    if (mood === "gone") return void request.socket.destroy();
    if (mood === "held") {
      await change.promise;
      return forward(request, response);
    }
    if (mood === "cut") return forward(request, response, true);
    request.resume();
    response.writeHead(mood as number, { "content-type": "application/xml" });
    response.end("<Error><Code>BadDay</Code><Message>Not today.</Message></Error>");
  }

  function forward(request: IncomingMessage, response: ServerResponse, cut = false): void {
    const { method, url, headers } = request;
    const upstream = send(`${s3.endpoint}${url}`, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      if (!cut) return void answered.pipe(response);
      // All but the last bytes: few enough for an error message to pass for them.
      const most = Number(answered.headers["content-length"]) - 20;
      let sent = 0;
      answered.on("data", (part: Buffer) => {
        const piece = part.subarray(0, Math.max(0, most - sent));
        sent += piece.length;
        response.write(piece, () => sent >= most && response.destroy());
      });
    });
    upstream.on("error", () => response.destroy());
    request.pipe(upstream);
  }

  return {
    env: {
      DOCMILL_STORAGE: "s3",
      DOCMILL_S3_BUCKET: s3.bucket,
      DOCMILL_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      DOCMILL_S3_ACCESS_KEY_ID: s3.accessKeyId,
      DOCMILL_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
    be(next, methods) {
      mood = next;
      moodyMethods = methods;
      met = 0;
      change.resolve();
      change = Promise.withResolvers();
    },
    met: () => met,
    async close() {
      server.close();
      server.closeAllConnections();
      await s3.close();
    },
  };
}
