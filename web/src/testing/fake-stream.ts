/** One connection to a stream of events, as the server has it: a test feeds it, ends it and sees when it was left. */

/** An event with a number is sent under it, and says its type and number itself, as the server's do. */
export interface StreamEvent {
  type: string;
  eventId?: number;
  [field: string]: unknown;
}

export interface FakeStream {
  /** The event after which it was to go on; null where it was to begin. */
  readonly lastEventId: string | null;
  /** Whether whoever followed it has left. */
  readonly isClosed: boolean;
  send(...events: StreamEvent[]): void;
  /** As when the server closes it, or is killed. */
  end(): void;
}

/** What fetch is asked for with, and what it answers. */
export function openFakeStream({ headers, signal }: RequestInit): { stream: FakeStream; response: Response } {
  const encoder = new TextEncoder();
  let sink: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sink = controller;
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  const stream: FakeStream = {
    lastEventId: new Headers(headers).get("last-event-id"),
    get isClosed() {
      return signal?.aborted ?? false;
    },
    send: (...events) => sink.enqueue(encoder.encode(events.map(writeEvent).join(""))),
    end: () => sink.close(),
  };
  return { stream, response: new Response(body, { headers: { "content-type": "text/event-stream" } }) };
}

function writeEvent({ type, ...data }: StreamEvent): string {
  const { eventId } = data;
  return eventId === undefined
    ? `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
    : `id: ${eventId}\nevent: ${type}\ndata: ${JSON.stringify({ ...data, type })}\n\n`;
}
