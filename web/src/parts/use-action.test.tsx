// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { startFakeServer } from "../testing/fake-server.ts";
import { closeApp, renderInApp } from "../testing/open-app.tsx";
import { useAction } from "./use-action.ts";

afterEach(closeApp);

function Buttons({ run }: { run(name: string): Promise<void> }) {
  const action = useAction({ run });
  return ["one", "other"].map((name) => (
    <button key={name} type="button" onClick={() => action.mutate(name)}>
      {name}
    </button>
  ));
}

it("does once what is clicked twice, and again when it is done", async () => {
  startFakeServer({});
  const started: string[] = [];
  let finish: () => void = () => undefined;
  const run = (name: string) => {
    started.push(name);
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  renderInApp(<Buttons run={run} />);
  const user = userEvent.setup();
  const one = await screen.findByRole("button", { name: "one" });
  await user.dblClick(one);
  expect(started).toEqual(["one"]);
  finish();
  await user.click(screen.getByRole("button", { name: "other" }));
  await user.click(one);
  expect(started).toEqual(["one", "other", "one"]);
});
