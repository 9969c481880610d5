/**
 * A client that does what one should when servers come and go: it repeats a request that got no answer, under the same
 * idempotency key, and goes on reading a stream at another server from the last event it has taken.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { DocumentSummary } from "../../src/contract/documents.ts";
import type { SampleFile } from "./document-place.ts";
import { openStream } from "./event-reader.ts";

export interface StreamSeen {
  numbers: number[];
  types: string[];
  /** How many connections it took. */
  connections: number;
}

export interface PersistentClient {
  /** Requests that got no answer and were repeated. */
  readonly repeated: number;
  /** What was answered that is neither success nor a client's own fault. */
  readonly troubles: string[];
  send(path: string, init: RequestInit & { body?: FormData | string }): Promise<unknown>;
  upload(file: SampleFile): Promise<DocumentSummary>;
  /** All events of a stream up to the end of its job or batch, over servers in turn, never more than a few from one. */
  follow(path: string): Promise<StreamSeen>;
}

const again = 50;
const eventsAConnection = 4;

export function openPersistentClient(url: string, servers: () => readonly string[]): PersistentClient {
  const troubles: string[] = [];
  let repeated = 0;
  let turn = 0;

  const send: PersistentClient["send"] = async (path, init) => {
    for (;;) {
      const answer = await fetch(url + path, init).then(readAnswer, () => undefined);
      if (answer?.status === 200 || answer?.status === 201) return answer.body;
      if (answer) {
        troubles.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        throw new Error(troubles.at(-1));
      }
      repeated++;
      await delay(again);
    }
  };

  return {
    get repeated() {
      return repeated;
    },
    troubles,
    send,
    async upload({ name, bytes }) {
      const body = new FormData();
      body.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      const headers = { "idempotency-key": name };
      return (await send("/api/documents", { method: "POST", body, headers })) as DocumentSummary;
    },
    async follow(path) {
      const seen: StreamSeen = { numbers: [], types: [], connections: 0 };
      for (;;) {
        const urls = servers();
        const server = urls[turn++ % urls.length];
        const ended = server !== undefined && (await readSome(`${server}${path}`, seen).catch(() => false));
        if (ended) return seen;
        await delay(again / 10);
      }
    },
  };
}

async function readAnswer(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

/** Whether the stream has come to its end. */
async function readSome(url: string, seen: StreamSeen): Promise<boolean> {
  await using stream = await openStream(url, seen.numbers.at(-1) ?? 0);
  // Nothing follows: everything has been seen, up to the end.
  if (stream.response.status === 204) return true;
  if (!stream.response.ok) return false;
  seen.connections++;
  for (let taken = 0; taken < eventsAConnection; taken++) {
    const event = await stream.next();
    if (!event) return false;
    seen.numbers.push(Number(event.id));
    seen.types.push(event.type);
  }
  return false;
}
