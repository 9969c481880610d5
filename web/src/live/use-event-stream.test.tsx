// @vitest-environment happy-dom
/** A hidden tab holds no connection, and catches up from the last event it had. */
import { act, cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useEventStream } from "./use-event-stream.ts";

interface Connection {
  lastEventId: string | undefined;
  closed: boolean;
  send(id: number): void;
}
let connections: Connection[] = [];
let hidden = false;

beforeEach(() => {
  connections = [];
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("fetch", async (_url: string, { headers, signal }: RequestInit) => {
    const encoder = new TextEncoder();
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream({
      start: (controller) => {
        send = (text) => controller.enqueue(encoder.encode(text));
        signal?.addEventListener("abort", () => {
          connection.closed = true;
          controller.error(new Error("aborted"));
        });
      },
    });
    const connection: Connection = {
      lastEventId: (headers as Record<string, string>)["last-event-id"],
      closed: false,
      send: (id) => send(`id: ${id}\nevent: step\ndata: {}\n\n`),
    };
    connections.push(connection);
    return new Response(body, { status: 200 });
  });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Steps({ url }: { url: string }) {
  const [ids, setIds] = useState<string[]>([]);
  const state = useEventStream(url, ({ id }) => setIds((known) => [...known, id]));
  return (
    <p>
      {state}: {ids.join(" ")}
    </p>
  );
}

const look = (isHidden: boolean) =>
  act(async () => {
    hidden = isHidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });

test("closes while the tab is hidden and goes on after the last event", async () => {
  render(<Steps url="/stream" />);
  await screen.findByText("open:");
  connections[0]?.send(1);
  await screen.findByText("open: 1");
  await look(true);
  expect(connections[0]?.closed).toBe(true);
  await look(false);
  await vi.waitFor(() => expect(connections).toHaveLength(2));
  expect(connections[1]?.lastEventId).toBe("1");
  await screen.findByText("open: 1");
  connections[1]?.send(2);
  await screen.findByText("open: 1 2");
});

test("a tab that is opened in the background connects when it is looked at", async () => {
  hidden = true;
  render(<Steps url="/stream" />);
  await look(true);
  expect(connections).toHaveLength(0);
  await look(false);
  await vi.waitFor(() => expect(connections).toHaveLength(1));
});

test("unmounting ends the connection", async () => {
  const { unmount } = render(<Steps url="/stream" />);
  await screen.findByText("open:");
  unmount();
  expect(connections[0]?.closed).toBe(true);
});
