// @vitest-environment happy-dom
/** A hidden tab holds no connection, and catches up from the last event it had. */
import { act, cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeServer, startFakeServer } from "../testing/fake-server.ts";
import { useEventStream } from "./use-event-stream.ts";

let server: FakeServer;
let hidden = false;

beforeEach(() => {
  server = startFakeServer();
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
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

const connections = () => server.streams("/stream");
const send = (place: number, eventId: number) => connections()[place]?.send({ type: "step", eventId });
const look = (isHidden: boolean) =>
  act(async () => {
    hidden = isHidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });

test("closes while the tab is hidden and goes on after the last event", async () => {
  render(<Steps url="/stream" />);
  await screen.findByText("open:");
  send(0, 1);
  await screen.findByText("open: 1");
  await look(true);
  expect(connections()[0]?.isClosed).toBe(true);
  await look(false);
  await vi.waitFor(() => expect(connections()).toHaveLength(2));
  expect(connections()[1]?.lastEventId).toBe("1");
  await screen.findByText("open: 1");
  send(1, 2);
  await screen.findByText("open: 1 2");
});

test("a tab that is opened in the background connects when it is looked at", async () => {
  hidden = true;
  render(<Steps url="/stream" />);
  await look(true);
  expect(connections()).toHaveLength(0);
  await look(false);
  await vi.waitFor(() => expect(connections()).toHaveLength(1));
});

test("unmounting ends the connection", async () => {
  const { unmount } = render(<Steps url="/stream" />);
  await screen.findByText("open:");
  unmount();
  expect(connections()[0]?.isClosed).toBe(true);
});
