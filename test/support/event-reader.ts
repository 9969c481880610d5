/** A reader of an event stream over HTTP that a test can drop at any point. */
import { readEventStream, type ServerEvent } from "../../src/client/read-event-stream.ts";

export interface OpenStream extends AsyncDisposable {
  response: Response;
  /** The next event; undefined once the server has ended the stream. */
  next(): Promise<ServerEvent | undefined>;
  /** All events up to the stream's end. */
  rest(): Promise<ServerEvent[]>;
  drop(): Promise<void>;
}

export async function openStream(url: string, lastEventId?: number): Promise<OpenStream> {
  const abort = new AbortController();
  const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) };
  const response = await fetch(url, { headers, signal: abort.signal });
  const events = readEventStream(response.body as ReadableStream<Uint8Array>);
  const next = async () => {
    const { value } = await events.next();
    return value ?? undefined;
  };
  const drop = async () => {
    abort.abort();
    await events.return().catch(() => undefined);
  };
  return {
    response,
    next,
    async rest() {
      const all: ServerEvent[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
    drop,
    [Symbol.asyncDispose]: drop,
  };
}
