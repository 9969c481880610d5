// @vitest-environment happy-dom
/** A page whose code is missing is loaded again once the server answers, but neither for ever nor at the cost of uploads. */
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fetchPage } from "../fetch-page.ts";
import { startFakeServer } from "../testing/fake-server.ts";
import { takeUploads } from "../testing/fake-uploads.ts";
import { makeDocument } from "../testing/made-up/documents.ts";
import { closeApp, renderInApp } from "../testing/open-app.tsx";
import { useUploads } from "../uploads/UploadsProvider.tsx";
import { PageFailure } from "./PageFailure.tsx";

const reload = vi.fn();

beforeEach(() => {
  sessionStorage.clear();
  reload.mockReset();
  vi.spyOn(globalThis.location, "reload").mockImplementation(reload);
});

afterEach(() => {
  closeApp();
  vi.restoreAllMocks();
});

const notFetched = (): Promise<Error> =>
  fetchPage(Promise.reject(new Error("Unable to preload CSS for /assets/Page-1.css"))).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

function Drop() {
  const { add } = useUploads();
  return (
    <button type="button" onClick={() => add([new File(["x"], "rye.txt")])}>
      Drop
    </button>
  );
}

test("it loads again once where the server is there", async () => {
  startFakeServer();
  const error = await notFetched();
  renderInApp(<PageFailure error={error} reset={() => undefined} />);
  await vi.waitFor(() => expect(reload).toHaveBeenCalled());
  closeApp();

  reload.mockReset();
  startFakeServer();
  renderInApp(<PageFailure error={error} reset={() => undefined} />);
  expect(await screen.findByText(/The server answers, but does not have this page/)).toBeDefined();
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(reload).toHaveBeenCalledOnce();
});

test("it waits for the server, then for what is being uploaded", async () => {
  const server = startFakeServer({ "GET /api/stream": () => new Response(null, { status: 502 }) });
  const uploads = takeUploads();
  const error = await notFetched();
  renderInApp(
    <>
      <Drop />
      <PageFailure error={error} reset={() => undefined} />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Drop" }));
  expect(screen.getByText(/The page comes by itself when the server is back/)).toBeDefined();
  server.on("GET /api/stream", () => new Response(new ReadableStream(), { headers: streamHeaders }));
  expect(await screen.findByText(/loaded when the uploads have ended/)).toBeDefined();
  expect(reload).not.toHaveBeenCalled();
  await act(async () => uploads[0]?.answer(makeDocument()));
  expect(reload).toHaveBeenCalled();
});

const streamHeaders = { "content-type": "text/event-stream" };
