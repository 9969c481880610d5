/**
 * A process that asks for the state of batches over connections that stay open, each asking again as soon as it was
 * answered. It speaks to the sockets itself: a client library would cost more than what it measures.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { offer } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import { quantile } from "../harness/result.ts";

export interface Load {
  url: string;
  batchIds: readonly string[];
  connections: number;
  forMs: number;
}

export interface LoadReport {
  /** Answers a second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers that were not the batch asked for. */
  wrong: number;
}

const headEnd = "\r\n\r\n";

const api = {
  async ask({ url, batchIds, connections, forMs }: Load): Promise<LoadReport> {
    const { hostname, port } = new URL(url);
    const waits: number[] = [];
    let wrong = 0;
    let next = 0;
    const startedAt = now();
    const caller = async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.setNoDelay(true);
      const answers = readAnswers(socket);
      while (now() - startedAt < forMs) {
        const id = batchIds[next++ % batchIds.length] as string;
        const askedAt = now();
        socket.write(`GET /api/batch/${id} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
        const { value } = await answers.next();
        waits.push(now() - askedAt);
        if (!value?.startsWith("HTTP/1.1 200") || !value.includes(`"id":"${id}"`)) wrong++;
      }
      socket.destroy();
    };
    await Promise.all(Array.from({ length: connections }, caller));
    const seconds = (now() - startedAt) / 1_000;
    return {
      rate: waits.length / seconds,
      p50Ms: quantile(waits, 0.5),
      p99Ms: quantile(waits, 0.99),
      wrong,
    };
  },
};

/** Head and body of one answer after the other; each must say how long it is. */
async function* readAnswers(socket: Socket): AsyncGenerator<string, undefined> {
  let text = "";
  // Latin-1, so that a character is a byte and lengths can be compared.
  for await (const chunk of socket.setEncoding("latin1")) {
    text += chunk as string;
    const bodyAt = text.indexOf(headEnd) + headEnd.length;
    if (bodyAt < headEnd.length) continue;
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) throw new Error("an answer did not say how long it is");
    if (text.length < bodyAt + Number(length)) continue;
    const answer = text;
    text = "";
    yield answer;
  }
  return undefined;
}

export type StatusLoadApi = typeof api;

offer(api);
