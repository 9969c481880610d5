/** A web server that sheets are fetched from and that answers each path as a test says, call after call. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface HeatOrigin {
  /** As DOCMILL_FETCH_ALLOW takes it. */
  host: string;
  /** Answers with these in turn, the last of them for ever; gives the address. */
  on(path: string, ...answers: RequestListener[]): string;
  /** How often the path was asked for. */
  calls(path: string): number;
  close(): Promise<void>;
}

export async function startHeatOrigin(): Promise<HeatOrigin> {
  const plans = new Map<string, RequestListener[]>();
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const answers = plans.get(path) ?? [];
    const answer = answers[Math.min(count, answers.length - 1)];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    on(path, ...answers) {
      plans.set(path, answers);
      return `http://${host}${path}`;
    },
    calls: (path) => counts.get(path) ?? 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function answerWith(status: number, headers: Record<string, string> = {}, body?: Uint8Array): RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

export const servePdf = (bytes: Uint8Array): RequestListener =>
  answerWith(200, { "content-type": "application/pdf" }, bytes);

export const cutConnection: RequestListener = (request) => void request.socket.resetAndDestroy();
export const hang: RequestListener = () => undefined;
