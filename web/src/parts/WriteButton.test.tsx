// @vitest-environment happy-dom
/** Whoever may only look can press nothing that changes something, and is told why. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { readOnlyReason } from "../access/AccessProvider.tsx";
import { startFakeServer } from "../testing/fake-server.ts";
import { makeSession } from "../testing/made-up/access.ts";
import { closeApp, openApp, renderInApp } from "../testing/open-app.tsx";
import { ConfirmButton } from "./ConfirmButton.tsx";
import { FileDrop } from "./FileDrop.tsx";
import { useAction } from "./use-action.ts";
import { WriteButton, WriteIcon } from "./WriteButton.tsx";

afterEach(closeApp);

const run = vi.fn(async () => undefined);

function Parts() {
  const action = useAction({ run });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <input aria-label="Field" />
      <WriteButton type="submit">Save</WriteButton>
      <WriteIcon aria-label="Retry" onClick={() => action.mutate()} />
      <ConfirmButton question="Really?" confirm="Yes" onConfirm={action.mutate}>
        Delete
      </ConfirmButton>
      <FileDrop title="Drop files" onFiles={() => action.mutate()} />
      <p>{action.error?.message}</p>
      <button type="button" onClick={() => action.mutate()}>
        Plain
      </button>
    </form>
  );
}

it("holds them back from every kind of button, and says the reason", async () => {
  startFakeServer({ "GET /api/session": () => makeSession("read") });
  renderInApp(<Parts />);
  await screen.findByText(readOnlyReason);
  for (const name of ["Save", "Retry", "Delete"]) {
    const button = screen.getByRole("button", { name });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(button);
  }
  await userEvent.type(screen.getByLabelText("Field"), "{Enter}");
  expect(screen.queryByText("Really?")).toBeNull();
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("tooltip")).textContent).toBe(readOnlyReason);
  expect(run).not.toHaveBeenCalled();

  // One that was forgotten does not reach the server either.
  await userEvent.click(screen.getByRole("button", { name: "Plain" }));
  await waitFor(() => expect(screen.getAllByText(readOnlyReason).length).toBeGreaterThan(1));
  expect(run).not.toHaveBeenCalled();
});

it("leaves everybody else alone", async () => {
  startFakeServer({ "GET /api/session": () => makeSession("write") });
  renderInApp(<Parts />);
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(run).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Delete" }).getAttribute("aria-disabled")).toBeNull();
});

it("explains a refusal of the server in words for people", async () => {
  const refused = { error: "FORBIDDEN", message: "needs scope admin", details: { needs: "admin", has: "write" } };
  startFakeServer({
    "GET /api/session": () => makeSession("write"),
    "GET /api/system": () => Response.json(refused, { status: 403 }),
  });
  openApp("/settings");
  expect(await screen.findByText(/Your key does not allow this: it takes one of scope admin/)).toBeDefined();
});
