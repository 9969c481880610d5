// @vitest-environment happy-dom
/** Today's numbers come with the stream, and hold their places until then. */
import { screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Stats } from "../../../../src/contract/system.ts";
import { startFakeServer } from "../../testing/fake-server.ts";
import { closeApp, renderInApp } from "../../testing/open-app.tsx";
import { Today } from "./Today.tsx";

afterEach(closeApp);

const shownAs = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test("shows what came in, got done, failed and is under way", async () => {
  const server = startFakeServer();
  renderInApp(<Today />);
  await screen.findByText("came in");
  expect(["came in", "done", "failed", "under way"].map(shownAs)).toEqual(["–", "–", "–", "–"]);

  const startsAt = new Date().toISOString();
  const stats = {
    jobs: { pending: 3, running: 2, completed: 1_200, failed: 1, cancelled: 0 },
    hours: [{ startsAt, created: 1_206, completed: 1_200, failed: 1, cancelled: 0 }],
    endedPerMinute: [...Array.from({ length: 58 }, () => 0), 7, 2],
  } satisfies Partial<Stats>;
  await server.tellActivity([], { stats });
  expect(["came in", "done", "failed", "under way"].map(shownAs)).toEqual(["1,206", "1,200", "1", "5"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Jobs ended in each of the last 60 minutes: 9 in all, 7 at most in one.",
  );
});
