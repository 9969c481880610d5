// @vitest-environment happy-dom
/** Scans that were chosen can be taken out one by one, and a refusal shows which there are. */
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { startFakeServer } from "../../../testing/fake-server.ts";
import { takeUploads } from "../../../testing/fake-uploads.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { AddPages } from "./AddPages.tsx";
import { useAddPages } from "./use-add-pages.ts";

const scan = (name: string) => new File(["scan"], name, { type: "image/png" });
const button = (name: string) => screen.findByRole("button", { name });

function Shown() {
  const state = useAddPages("book", () => {});
  return (
    <>
      <button type="button" onClick={() => state.choose([scan("page_10.png"), scan("page_2.png"), scan("bad.png")])}>
        Choose three
      </button>
      <AddPages state={state} held={null} />
    </>
  );
}

afterEach(closeApp);

test("what the server refused is listed, and goes without the one that was taken out", async () => {
  startFakeServer();
  const uploads = takeUploads();
  renderInApp(<Shown />);
  await userEvent.click(await button("Choose three"));
  expect(await screen.findByText("Selected: 3 images")).toBeDefined();
  expect((await button("Show the list")).getAttribute("aria-expanded")).toBe("false");

  await userEvent.click(await button("Upload all and start OCR"));
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () =>
    uploads[0]?.refuse({ status: 415, error: "UNSUPPORTED_TYPE", message: "bad.png is no image." }),
  );
  expect((await button("Hide the list")).getAttribute("aria-expanded")).toBe("true");
  expect(screen.getByText("bad.png is no image.")).toBeDefined();

  await userEvent.click(await button("Take out bad.png"));
  expect(await screen.findByText("Selected: 2 images")).toBeDefined();
  expect(screen.queryByText("bad.png is no image.")).toBeNull();
  expect((await button("Hide the list")).getAttribute("aria-expanded")).toBe("true");

  await userEvent.click(await button("Upload all and start OCR"));
  await vi.waitFor(() => expect(uploads).toHaveLength(2));
  const sent = uploads[1]?.form.getAll("images") as File[];
  expect(sent.map(({ name }) => name)).toEqual(["page_2.png", "page_10.png"]);
});
