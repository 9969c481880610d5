// @vitest-environment happy-dom
/** Says truly who may use the server, and manages keys for those who may. */

import { Notifications } from "@mantine/notifications";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApiKey, AuditEntry, Session } from "../../../../../src/contract/access.ts";
import { type FakeServer, refusal, startFakeServer } from "../../../testing/fake-server.ts";
import { makeApiKey, makeSession, openSession } from "../../../testing/made-up/access.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { AccessCard } from "./AccessCard.tsx";

const secret = "dm_bbbbbbbbbb_secret";
let server: FakeServer;
let keys: ApiKey[];

const makeEntry = (given: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: "2031-06-14T06:00:00.000Z",
  actor: "desk",
  address: "192.0.2.7",
  action: "session.start",
  target: null,
  details: {},
  ...given,
});

function show(session: Session): void {
  server = startFakeServer({
    "GET /api/session": () => session,
    "GET /api/keys": () => ({ items: keys }),
    "GET /api/audit": ({ query }) =>
      query.before === undefined
        ? { items: [makeEntry({ id: 8, action: "key.create", target: "laptop" })], nextBefore: 8 }
        : { items: [makeEntry({ id: 7, actor: null, action: "session.refused" })], nextBefore: null },
  });
  renderInApp(
    <>
      <Notifications />
      <AccessCard />
    </>,
  );
}

beforeEach(() => {
  keys = [
    makeApiKey({ scope: "admin" }),
    makeApiKey({ id: "old", name: "old", revokedAt: "2031-06-15T06:00:00.000Z" }),
  ];
});

afterEach(closeApp);

/** Roles are those of what can be seen: each key stands there as a row, too, for wide screens. */
const revokeButtons = () => screen.queryAllByRole("button", { name: /^Revoke / });

it("tells that an open server is open, and what it takes to let others in", async () => {
  show(openSession);
  expect(await screen.findByText("open, this machine only")).toBeDefined();
  expect(screen.getByText(/asks for no key/)).toBeDefined();
  expect(screen.getByText("docmill keys create --name you --scope admin")).toBeDefined();
  expect(screen.getByText("HOST=0.0.0.0")).toBeDefined();
  expect(await screen.findByRole("button", { name: "Revoke desk" })).toBeDefined();
});

it("shows neither keys nor the log to whoever may not manage them", async () => {
  show(makeSession("write"));
  expect(await screen.findByText("keys needed")).toBeDefined();
  expect(screen.getByText(/Yours has the scope write/)).toBeDefined();
  expect(server.calls).toEqual([]);
});

it("makes a key, shows it once, and forgets it", async () => {
  show(makeSession("admin"));
  server.on("POST /api/keys", () => {
    const made = makeApiKey({ id: "new", name: "laptop", scope: "read", prefix: "dm_bbbbbbbbbb" });
    keys = [made, ...keys];
    return Response.json({ ...made, key: secret }, { status: 201 });
  });
  await userEvent.click(await screen.findByRole("button", { name: "New key" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Make the key" }));
  expect(dialog.getByText("A key needs a name.")).toBeDefined();
  await userEvent.type(dialog.getByRole("textbox", { name: /Name/ }), " laptop ");
  await userEvent.click(dialog.getByRole("radio", { name: "read" }));
  await userEvent.selectOptions(dialog.getByLabelText("Expires"), "In 30 days");
  await userEvent.click(dialog.getByRole("button", { name: "Make the key" }));

  expect(((await dialog.findByLabelText("API key of laptop")) as HTMLInputElement).value).toBe(secret);
  expect(server.bodyOf("POST /api/keys")).toEqual({ name: "laptop", scope: "read", expiresInDays: 30 });
  expect(dialog.getByText("This key is shown only now")).toBeDefined();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(dialog.getByRole("button", { name: "Copy the key" }));
  expect(await dialog.findByText("Copied")).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(secret);

  await userEvent.click(dialog.getByRole("button", { name: "Done, I have kept it" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await screen.findByRole("button", { name: "Revoke laptop" })).toBeDefined();
  expect(document.body.innerHTML).not.toContain(secret);
  await userEvent.click(screen.getByRole("button", { name: "New key" }));
  expect(await screen.findByRole("textbox", { name: /Name/ })).toBeDefined();
});

it("revokes a key after asking once more, and explains why the last one stays", async () => {
  show(makeSession("admin"));
  await waitFor(() => expect(revokeButtons()).toHaveLength(1));
  server.on("DELETE /api/keys/key", () => refusal({ status: 409, error: "LAST_ADMIN_KEY", message: "The last." }));
  const revoke = async () => {
    await userEvent.click(screen.getByRole("button", { name: "Revoke desk" }));
    expect(await screen.findByText(/You are signed in with it/)).toBeDefined();
    await userEvent.click(screen.getByRole("button", { name: "Revoke the key" }));
  };
  await revoke();
  expect(await screen.findByText(/the last key that may manage keys.*Make a second one/)).toBeDefined();

  server.on("DELETE /api/keys/key", () => {
    keys = keys.map((key) => ({ ...key, revokedAt: "2031-06-15T06:00:00.000Z" }));
    return keys[0];
  });
  await revoke();
  expect(await screen.findByText("The key “desk” is revoked.")).toBeDefined();
  await waitFor(() => expect(revokeButtons()).toHaveLength(0));
});

it("lists what was done, newest first, and more of it on demand", async () => {
  show(makeSession("admin"));
  expect((await screen.findByText(/made the key laptop/)).textContent).toBe("desk made the key laptop");
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect((await screen.findByText(/was refused/)).textContent).toBe(
    "Somebody without a key was refused: the key was wrong",
  );
  expect(server.calls).toContain("GET /api/audit?limit=20&before=8");
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});
