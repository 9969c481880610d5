/**
 * Follows a stream of server-sent events for as long as it is open: comes back with Last-Event-ID when the connection is
 * lost, or silent for too long, waits longer after each failure, and ends for good when the server says that it is over or
 * asks for a key.
 */
import { createParser } from "eventsource-parser";
import { tellSignedOut } from "../api/signed-out.ts";

/** `over`: the stream has ended. `gone`: there is no such stream. `refused`: it is for those who are signed in. */
export type StreamState = "connecting" | "open" | "lost" | "over" | "gone" | "refused";

export interface StreamMessage {
  type: string;
  /** Empty where the stream's events have no ids. */
  id: string;
  data: unknown;
}

export interface EventStreamOptions {
  url: string;
  /** The last event already known. */
  lastEventId?: string;
  onMessage(message: StreamMessage): void;
  onState(state: StreamState): void;
}

export interface EventStream {
  readonly lastEventId: string;
  close(): void;
}

/** The server gives a sign of life every 15 seconds. */
const silentMs = 40_000;
const firstWaitMs = 1_000;
const longestWaitMs = 10_000;

export function openEventStream({ url, lastEventId = "", onMessage, onState }: EventStreamOptions): EventStream {
  const closing = new AbortController();
  let known = lastEventId;
  let waitMs = firstWaitMs;
  let wakeUp: () => void = () => undefined;
  const onOnline = () => wakeUp();
  globalThis.addEventListener("online", onOnline);
  void follow();

  return {
    get lastEventId() {
      return known;
    },
    close() {
      closing.abort();
      globalThis.removeEventListener("online", onOnline);
      wakeUp();
    },
  };

  async function follow(): Promise<void> {
    onState("connecting");
    while (!closing.signal.aborted) {
      const ending = await connect();
      if (closing.signal.aborted) return;
      onState(ending);
      if (ending !== "lost") return;
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
        setTimeout(resolve, waitMs);
      });
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  /** One connection, to its end. */
  async function connect(): Promise<StreamState> {
    const connection = new AbortController();
    const end = () => connection.abort();
    closing.signal.addEventListener("abort", end);
    let silence = setTimeout(end, silentMs);
    try {
      const headers = { accept: "text/event-stream", ...(known !== "" && { "last-event-id": known }) };
      const response = await fetch(url, { headers, signal: connection.signal, cache: "no-store" });
      if (response.status === 204) return "over";
      if (response.status === 401 && (await says(response, "UNAUTHORIZED"))) {
        tellSignedOut();
        return "refused";
      }
      if (response.status === 404 || response.status === 410) {
        return (await says(response, "NOT_FOUND")) ? "gone" : "lost";
      }
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
      if (!response.ok || !response.body || !isStream) return "lost";
      onState("open");
      const parser = createParser({
        onId: (id) => {
          known = id;
        },
        onEvent: ({ event, id, data }) => {
          try {
            onMessage({ type: event ?? "message", id: id ?? "", data: JSON.parse(data) });
          } catch (error) {
            // A mistake of whoever listens: the connection is fine.
            reportError(error);
          }
        },
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || closing.signal.aborted) return "lost";
        // It does deliver: the next failure is a new one.
        waitMs = firstWaitMs;
        clearTimeout(silence);
        silence = setTimeout(end, silentMs);
        parser.feed(value);
      }
    } catch {
      return "lost";
    } finally {
      clearTimeout(silence);
      closing.signal.removeEventListener("abort", end);
      end();
    }
  }
}

/** A proxy has such answers too, while its server is just starting or for a door of its own; only ours names the code. */
async function says(response: Response, code: string): Promise<boolean> {
  const text = await response.text();
  return new RegExp(`"error"\\s*:\\s*"${code}"|"detail"\\s*:`).test(text);
}
