// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeServer, refusal, startFakeServer } from "../../testing/fake-server.ts";
import { type FakeUpload, takeUploads } from "../../testing/fake-uploads.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

const sheetOne = "https://meet.example/saturday.pdf";
const created = { success: true, batchId: "batch", totalJobs: 1, streamUrl: "", estimatedTime: "15s" };

let server: FakeServer;
let uploads: readonly FakeUpload[];

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  uploads = takeUploads();
});

afterEach(closeApp);

async function openForm() {
  const app = openApp("/batches/new");
  const name = await screen.findByLabelText<HTMLInputElement>(/Swimmer's name/);
  return { app, name };
}

async function addLinks(text: string) {
  await userEvent.click(screen.getByRole("tab", { name: "Links" }));
  await userEvent.type(screen.getByLabelText("Links to PDFs"), text);
}

const send = () => userEvent.click(screen.getByRole("button", { name: "Make the schedule" }));

async function upload(place: number): Promise<FakeUpload> {
  await waitFor(() => expect(uploads.length).toBeGreaterThan(place));
  return uploads[place] as FakeUpload;
}

/** The field, and what is said to be wrong with it. */
function errorOf(field: HTMLElement): string {
  const described = (field.getAttribute("aria-describedby") ?? "").split(/\s+/);
  const error = described.find((id) => id.endsWith("-error"));
  return error ? (document.getElementById(error)?.textContent ?? "") : "";
}

describe("the form of a new schedule", () => {
  it("asks for a name and for sheets before it sends anything", async () => {
    const { name } = await openForm();
    await send();
    await waitFor(() => expect(errorOf(name)).toBe("Swimmer name is required."));
    expect(screen.getByText("At least one PDF file or URL is required.")).toBeTruthy();
    expect(document.activeElement).toBe(name);
    expect(uploads).toHaveLength(0);

    await userEvent.type(name, "N");
    expect(errorOf(name)).toBe("");
  });

  it("keeps lines that are no addresses in their field", async () => {
    await openForm();
    await addLinks(`${sheetOne}{Enter}meet.example/b.pdf`);
    await userEvent.click(screen.getByRole("button", { name: "Add to the list" }));
    const field = screen.getByLabelText<HTMLTextAreaElement>("Links to PDFs");
    await waitFor(() => expect(field.value).toBe("meet.example/b.pdf"));
    expect(errorOf(field)).toContain("meet.example/b.pdf");
    expect(screen.getByText("1 of 15")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Remove saturday.pdf" }));
    expect(screen.getByText("0 of 15")).toBeTruthy();
  });

  it("sends name, files and addresses, also those that were typed and not added, and goes to the schedule", async () => {
    const { app, name } = await openForm();
    await userEvent.type(name, " Nora Seewald ");
    const file = new File(["%PDF-1.7"], "sunday.pdf", { type: "application/pdf" });
    await userEvent.upload(document.querySelector("input[type=file]") as HTMLInputElement, file);
    await addLinks(sheetOne);
    await send();
    const { form, headers, progress, answer } = await upload(0);
    expect(form.get("swimmer")).toBe("Nora Seewald");
    expect(form.get("urls")).toBe(JSON.stringify([sheetOne]));
    expect((form.getAll("pdfs") as File[]).map((pdf) => pdf.name)).toEqual(["sunday.pdf"]);
    expect(headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    progress(0.4);
    expect(await screen.findByText("Sending, 40 %")).toBeTruthy();
    answer(created);
    await waitFor(() => expect(app.path()).toBe("/batches/batch"));
  });

  it("offers the swimmer asked for last", async () => {
    localStorage.setItem("docmill.last-swimmer", "Nora Seewald");
    const { name } = await openForm();
    await userEvent.click(screen.getByRole("button", { name: "Nora Seewald" }));
    expect(name.value).toBe("Nora Seewald");
  });

  it("puts what the server says to the part of the form that it is about", async () => {
    const { name } = await openForm();
    await userEvent.type(name, "Nora Seewald");
    await addLinks(sheetOne);
    await send();
    (await upload(0)).refuse({ status: 400, error: "MISSING_SWIMMER", message: "Swimmer name is required." });
    await waitFor(() => expect(errorOf(name)).toBe("Swimmer name is required."));

    await send();
    const tooMany = "Maximum 15 PDFs per batch. You submitted 20.";
    (await upload(1)).refuse({ status: 400, error: "BATCH_TOO_LARGE", message: tooMany });
    expect((await screen.findByRole("alert")).textContent).toBe(tooMany);

    await send();
    (await upload(2)).refuse({ status: 400, error: "INVALID_URLS", message: "urls must be a JSON array." });
    await waitFor(() => expect(errorOf(screen.getByLabelText("Links to PDFs"))).toContain("http://"));

    await send();
    (await upload(3)).refuse({ status: 400, error: "INVALID_EMAIL", message: "This is not an email address." });
    await waitFor(() => expect(errorOf(screen.getByLabelText("Email (optional)"))).toContain("not an email"));

    await send();
    (await upload(4)).refuse({ status: 400, error: "INVALID_PDF", message: "saturday.pdf is not a PDF." });
    const wrong = await screen.findByText("saturday.pdf is not a PDF.");
    expect(wrong.closest("section")?.getAttribute("aria-label")).toBe("Heat sheets that will be read");
    expect(screen.getByText("saturday.pdf").closest("li")?.dataset.wrong).toBe("true");
  });

  it("tries again under the same key, and under another when the form was changed", async () => {
    const { name } = await openForm();
    await userEvent.type(name, "Nora Seewald");
    await addLinks(sheetOne);
    await send();
    (await upload(0)).breakOff();
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    (await upload(1)).breakOff();
    await screen.findByRole("button", { name: "Try again" });
    await userEvent.type(name, "a");
    await send();
    await upload(2);
    const keys = uploads.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("puts PDFs on the list that are ticked among those of a meet's page", async () => {
    const pdfs = [
      { url: sheetOne, title: "Saturday" },
      { url: "https://meet.example/sunday.pdf", title: "Sunday" },
    ];
    server.on("POST /api/discover-heatsheets", () => ({ success: true, pdfs }));
    await openForm();
    await userEvent.click(screen.getByRole("tab", { name: "Meet page" }));
    await userEvent.type(screen.getByLabelText(/meet's web page/), "meet.example{Enter}");
    await userEvent.click(await screen.findByRole("checkbox", { name: "Sunday" }));
    expect(screen.getByText("1 of 15")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Choose all" }));
    expect(screen.getByText("2 of 15")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Choose none" }));
    expect(screen.getByText("0 of 15")).toBeTruthy();
  });

  it("says at the address why a meet's page has no sheets", async () => {
    const message = "The page links to no PDF files.";
    server.on("POST /api/discover-heatsheets", () => refusal({ status: 404, error: "NO_PDFS_FOUND", message }));
    await openForm();
    await userEvent.click(screen.getByRole("tab", { name: "Meet page" }));
    const field = screen.getByLabelText(/meet's web page/);
    await userEvent.type(field, "meet.example{Enter}");
    await waitFor(() => expect(errorOf(field)).toBe(message));
  });
});
