// @vitest-environment happy-dom
/** Where keys are asked for, whoever has none is led to the page that takes one, and back; nobody is asked anything twice. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../src/contract/access.ts";
import { type FakeServer, refusal, startFakeServer } from "../testing/fake-server.ts";
import { makeSession, noSession, openSession } from "../testing/made-up/access.ts";
import { makeBookOf, makePage } from "../testing/made-up/books.ts";
import { closeApp, openApp } from "../testing/open-app.tsx";

let server: FakeServer;
let session: Session;

const unauthorized = () => refusal({ status: 401, error: "UNAUTHORIZED", message: "This server asks for an API key." });
const nothing = () => ({ items: [], nextCursor: null });

/** What needs a key answers 401 to whoever has none, as the server does. */
const guarded = (answer: () => unknown) => () => (session.user ? answer() : unauthorized());

beforeEach(() => {
  session = noSession;
  server = startFakeServer({
    "GET /api/session": () => session,
    "POST /api/session": ({ body }) => {
      if ((body as { key: string }).key !== "dm_right") {
        return refusal({ status: 401, error: "WRONG_KEY", message: "This key is wrong." });
      }
      session = makeSession("write");
      return session;
    },
    "DELETE /api/session": () => {
      session = noSession;
      return session;
    },
    "GET /api/jobs": guarded(nothing),
    "GET /api/batch": guarded(nothing),
    "GET /api/documents": guarded(nothing),
    "GET /admin/books": guarded(() => ({ books: [] })),
  });
});

afterEach(closeApp);

const field = () => screen.findByLabelText("API key");
const giveKey = async (key: string) => {
  const input = await field();
  await userEvent.clear(input);
  await userEvent.type(input, `${key}{Enter}`);
};

describe("whoever has not signed in", () => {
  it("is led to sign in before anything is asked for, and then back to the very page", async () => {
    const app = openApp("/jobs?state=failed");
    const input = await field();
    expect(input.getAttribute("type")).toBe("password");
    expect(input.getAttribute("autocomplete")).toBe("current-password");
    expect(document.activeElement).toBe(input);
    expect(app.path()).toBe("/sign-in");
    expect(server.calls).toEqual([]);
    expect(server.streams("/api/stream")).toHaveLength(0);

    await giveKey("dm_right");
    expect(await screen.findByRole("heading", { level: 1, name: "Jobs" })).toBeDefined();
    expect([app.path(), app.search()]).toEqual(["/jobs", { state: "failed" }]);
    await waitFor(() => expect(server.streams("/api/stream")).toHaveLength(1));
  });

  it("is told what is wrong with the key, and stays", async () => {
    const app = openApp("/sign-in?back=%2Fjobs");
    await giveKey("dm_wrong");
    expect((await screen.findByRole("alert")).textContent).toMatch(/wrong, was revoked or has expired/);
    expect((await field()).getAttribute("aria-invalid")).toBe("true");

    const tooMany = { error: "RATE_LIMITED", message: "Too many.", details: { retryAfterSeconds: 12 } };
    server.on("POST /api/session", () => Response.json(tooMany, { status: 429 }));
    await giveKey("dm_wrong");
    expect((await screen.findByRole("alert")).textContent).toMatch(/Try again in 12 s, at \d/);

    server.on("POST /api/session", () => {
      throw new TypeError("fetch failed");
    });
    await giveKey("dm_right");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/The server does not answer/));

    // The key is taken, and the browser does not keep the cookie.
    server.on("POST /api/session", () => makeSession("write"));
    await giveKey("dm_right");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/does not keep the cookie/));
    expect(app.path()).toBe("/sign-in");
  });

  it("is not led to another site afterwards", async () => {
    const app = openApp(`/sign-in?back=${encodeURIComponent("//elsewhere.test/jobs")}`);
    await giveKey("dm_right");
    await waitFor(() => expect(app.path()).toBe("/"));
  });

  it("sees what was shared with them, and nothing leads them away from it", async () => {
    server.on("GET /api/results/AbCd1234", () =>
      refusal({ status: 404, error: "NOT_FOUND", message: "There is no result AbCd1234." }),
    );
    const app = openApp("/results/AbCd1234");
    expect(await screen.findByText("This schedule is not here any more")).toBeDefined();
    expect(app.path()).toBe("/results/AbCd1234");
    expect(server.calls).toEqual(["GET /api/results/AbCd1234"]);
    expect(server.streams("/api/stream")).toHaveLength(0);
  });
});

describe("whoever is signed in", () => {
  beforeEach(() => {
    session = makeSession("write");
  });

  it("is led to sign in when a request is refused, with nothing asked again and again", async () => {
    const app = openApp("/batches");
    await screen.findByText("Make the first schedule");
    session = noSession;
    await server.tellActivity([{ kind: "heat_sheet" }]);
    await field();
    expect(app.search()).toEqual({ back: "/batches" });
    expect(server.calls.filter((call) => call.startsWith("GET /api/batch"))).toHaveLength(2);
    expect(server.streams("/api/stream").every(({ isClosed }) => isClosed)).toBe(true);

    // Nothing of what the last one saw is left for the next.
    let answer: (value: unknown) => void = () => undefined;
    server.on("GET /api/batch", () => new Promise((resolve) => (answer = resolve)));
    await giveKey("dm_right");
    expect(await screen.findByRole("heading", { level: 1, name: "Heat sheets" })).toBeDefined();
    expect(screen.queryByText("Make the first schedule")).toBeNull();
    await vi.waitFor(() => expect(server.calls.filter((call) => call.startsWith("GET /api/batch"))).toHaveLength(3));
    answer(nothing());
    expect(await screen.findByText("Make the first schedule")).toBeDefined();
  });

  it("is led to sign in when the stream is refused", async () => {
    const app = openApp("/batches");
    await screen.findByText("Make the first schedule");
    const asked = server.calls.length;
    session = noSession;
    server.on("GET /api/stream", unauthorized);
    const [stream] = server.streams("/api/stream");
    stream?.end();
    await field();
    expect(app.path()).toBe("/sign-in");
    // The one stream that was refused: nobody tried another, or anything else.
    expect(server.calls.slice(asked)).toEqual(["GET /api/stream"]);
  });

  it("sees who they are, signs out, and whoever comes next begins at the start", async () => {
    const app = openApp("/batches");
    await userEvent.click(await screen.findByRole("button", { name: "Signed in as desk, write" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
    await field();
    expect(server.writes).toEqual(["DELETE /api/session"]);
    expect([app.path(), app.search()]).toEqual(["/sign-in", {}]);
    expect(screen.queryByText("desk")).toBeNull();
  });

  it("is led on when they come to sign in once more", async () => {
    const app = openApp("/sign-in?back=%2Fbatches");
    expect(await screen.findByRole("heading", { level: 1, name: "Heat sheets" })).toBeDefined();
    expect(app.path()).toBe("/batches");
  });
});

describe("what somebody was typing when the session ended", () => {
  beforeEach(() => {
    session = makeSession("write");
    const book = makeBookOf([makePage(1)]);
    server.on(
      "GET /admin/books/book",
      guarded(() => book),
    );
    server.on(
      "GET /admin/books/book/pages/1",
      guarded(() => ({ ...makePage(1), ocr_text: "A lever" })),
    );
    server.on(
      "GET /admin/books/book/jobs/latest",
      guarded(() => Response.json(null)),
    );
    server.on(
      "PUT /admin/books/book/pages/1/text",
      guarded(() => makePage(1)),
    );
  });
  const text = () => screen.findByLabelText<HTMLTextAreaElement>("Text of page 1");
  const loseSession = async () => {
    openApp("/books/book");
    const typed = await text();
    await waitFor(() => expect(typed.value).toBe("A lever"));
    await userEvent.type(typed, " is a bar.");
    session = noSession;
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await field();
    expect(await screen.findByText("You are signed out. Sign in, then try again.")).toBeDefined();
  };

  it("is there when they are back", async () => {
    await loseSession();
    await giveKey("dm_right");
    expect((await text()).value).toBe("A lever is a bar.");
    expect(screen.getByRole("button", { name: "Discard" })).toBeDefined();
  });

  it("is for nobody else", async () => {
    await loseSession();
    server.on("POST /api/session", () => {
      session = makeSession("write", "somebody else", "another key");
      return session;
    });
    await giveKey("dm_right");
    const shown = await text();
    await waitFor(() => expect(shown.value).toBe("A lever"));
  });
});

describe("a server that asks for no keys", () => {
  beforeEach(() => {
    session = openSession;
  });

  it("has no place to sign in, and nobody to sign out", async () => {
    const app = openApp("/sign-in?back=%2Fbatches");
    await waitFor(() => expect(app.path()).toBe("/"));
    expect(await screen.findByRole("heading", { level: 1 })).toBeDefined();
    expect(screen.queryByRole("button", { name: /Signed in/ })).toBeNull();
  });

  it("leads to sign in once it has been started anew and asks for them", async () => {
    openApp("/batches");
    await screen.findByText("Make the first schedule");
    session = noSession;
    await server.tellActivity([{ kind: "heat_sheet" }]);
    expect(await field()).toBeDefined();
  });
});
