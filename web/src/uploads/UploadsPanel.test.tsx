// @vitest-environment happy-dom
/** The panel stays readable whatever is uploaded, and offers what can help. */
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startFakeServer } from "../testing/fake-server.ts";
import { type FakeUpload, takeUploads } from "../testing/fake-uploads.ts";
import { makeDocument } from "../testing/made-up/documents.ts";
import { closeApp, renderInApp } from "../testing/open-app.tsx";
import { UploadsPanel } from "./UploadsPanel.tsx";
import { useUploads } from "./UploadsProvider.tsx";

let uploads: readonly FakeUpload[];

beforeEach(() => {
  startFakeServer();
  uploads = takeUploads();
});

afterEach(closeApp);

function Dropped({ count }: { count: number }) {
  const { add } = useUploads();
  const files = Array.from({ length: count }, (_, i) => new File(["x"], `${i + 1}.txt`));
  return (
    <button type="button" onClick={() => add(files)}>
      Drop
    </button>
  );
}

async function drop(count: number): Promise<HTMLElement> {
  renderInApp(
    <>
      <Dropped count={count} />
      <UploadsPanel />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Drop" }));
  return screen.findByRole("region", { name: "Uploads" });
}

/** Lets the next one begin before it is looked for. */
const answer = (i: number, give: (upload: FakeUpload) => void) => act(async () => give(uploads[i] as FakeUpload));
const arrive = (upload: FakeUpload) => upload.answer(makeDocument());

test("what failed stands first, and is tried again only where that can help", async () => {
  const panel = await drop(3);
  await answer(0, arrive);
  await answer(1, (upload) => upload.refuse({ status: 415, error: "UNSUPPORTED", message: "Not a document." }));
  await answer(2, (upload) => upload.breakOff());
  expect(within(panel).getByText("2 files not uploaded")).toBeDefined();
  const lines = within(panel).getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "2.txtNot a document. ",
    expect.stringMatching(/^3\.txtThe server does not answer.*Try again$/),
    "1.txt",
  ]);
  expect(within(panel).getByRole("button", { name: "Take 2.txt off the list" })).toBeDefined();

  await userEvent.click(within(panel).getByRole("button", { name: "Try again" }));
  expect(within(panel).getByRole("button", { name: "Stop uploading 3.txt" })).toBeDefined();
  expect(within(panel).queryByRole("button", { name: "Clear" })).toBeNull();
  await answer(3, arrive);
  await userEvent.click(within(panel).getByRole("button", { name: "Clear" }));
  expect(screen.queryByRole("region", { name: "Uploads" })).toBeNull();
});

test("whoever is signed out meanwhile is told, and nothing more is sent until they try again", async () => {
  const panel = await drop(5);
  await answer(1, (upload) => upload.refuse({ status: 401, error: "UNAUTHORIZED", message: "A key is needed." }));
  expect(within(panel).getByText("5 files not uploaded")).toBeDefined();
  expect(uploads).toHaveLength(3);
  expect(within(panel).getAllByText(/You are signed out. Sign in, then try again/)).toHaveLength(5);

  const [first] = within(panel).getAllByRole("button", { name: "Try again" });
  await userEvent.click(first as HTMLElement);
  expect(uploads).toHaveLength(4);
  await answer(3, arrive);
  expect(within(panel).getByText("4 files not uploaded")).toBeDefined();
});

test("of many only the first have a line", async () => {
  const panel = await drop(30);
  expect(within(panel).getByText("and 10 more waiting")).toBeDefined();
  for (let i = 0; i < 30; i++) await answer(i, arrive);
  expect(within(panel).getByText("30 files uploaded")).toBeDefined();
  expect(within(panel).getByText("and 10 more uploaded")).toBeDefined();
  expect(within(panel).getAllByRole("link")).toHaveLength(20);
  await userEvent.click(within(panel).getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("region", { name: "Uploads" })).toBeNull();
});
