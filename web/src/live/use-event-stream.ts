/**
 * A stream of events for as long as a component shows it and somebody can see it: a hidden tab holds no connection (a
 * browser allows a server only six), and catches up from the last event it had when it is looked at again.
 */
import { useEffect, useRef, useState } from "react";
import { type EventStream, openEventStream, type StreamMessage, type StreamState } from "./open-event-stream.ts";

/** Null follows nothing. */
export function useEventStream(url: string | null, onMessage: (message: StreamMessage) => void): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const latest = useRef(onMessage);
  useEffect(() => {
    latest.current = onMessage;
  });

  useEffect(() => {
    if (url === null) return;
    let stream: EventStream | undefined;
    let lastEventId = "";
    let finished = false;
    const open = () => {
      if (stream || finished) return;
      stream = openEventStream({
        url,
        lastEventId,
        onMessage: (message) => latest.current(message),
        onState: (next) => {
          finished = next === "over" || next === "gone" || next === "refused";
          setState(next);
        },
      });
    };
    const close = () => {
      lastEventId = stream?.lastEventId ?? lastEventId;
      stream?.close();
      stream = undefined;
    };
    const onVisibility = () => (document.hidden ? close() : open());
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      close();
    };
  }, [url]);

  return state;
}
