// @vitest-environment happy-dom
/** Answers are asked for again when the server tells of a change that outdates them, and not otherwise. */
import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { request } from "../api/request.ts";
import { type FakeServer, startFakeServer } from "../testing/fake-server.ts";
import { closeApp, renderInApp } from "../testing/open-app.tsx";
import { useActivity } from "./ActivityProvider.tsx";

let server: FakeServer;

beforeEach(() => {
  const answer = () => ({});
  server = startFakeServer({ "GET /documents": answer, "GET /jobs": answer, "GET /settings": answer });
});

afterEach(closeApp);

function Answers() {
  const { connection } = useActivity();
  for (const [path, live] of [
    ["/documents", ["document"]],
    ["/jobs", true],
    ["/settings", undefined],
  ] as const) {
    // biome-ignore lint/correctness/useHookAtTopLevel: the list is the same at every call.
    useQuery({ queryKey: [path], queryFn: () => request(path), meta: { live } });
  }
  return <p>{connection}</p>;
}

test("a change outdates what depends on jobs of its kind", async () => {
  renderInApp(<Answers />);
  await screen.findByText("open");
  const count = (path: string) => server.asked.filter((request) => request.path === path).length;
  await vi.waitFor(() => expect(server.asked).toHaveLength(3));

  await server.tellActivity([{ kind: "word-count" }]);
  await vi.waitFor(() => expect(count("/jobs")).toBe(2));
  expect([count("/documents"), count("/settings")]).toEqual([1, 1]);

  await server.tellActivity([{ kind: "document" }]);
  await vi.waitFor(() => expect([count("/documents"), count("/jobs")]).toEqual([2, 3]));

  // Workers beat and counts move without any job of interest.
  await server.tellActivity([]);
  expect(server.asked).toHaveLength(6);

  await server.tellActivity([], { complete: false });
  await vi.waitFor(() => expect([count("/documents"), count("/jobs"), count("/settings")]).toEqual([3, 4, 1]));
});
