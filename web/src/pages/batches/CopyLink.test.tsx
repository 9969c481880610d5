// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CopyLink } from "./CopyLink.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show() {
  render(
    <MantineProvider env="test">
      <CopyLink path="/results/AbCd1234" about="the schedule" />
    </MantineProvider>,
  );
  return screen.getByRole("button", { name: "Copy link to the schedule" });
}

describe("copying a link", () => {
  it("says that it is copied", async () => {
    const user = userEvent.setup();
    const button = show();
    await user.click(button);
    expect(await screen.findByText("Copied")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toMatch(/^https?:.*\/results\/AbCd1234$|^about:|\/results\/AbCd1234$/);
  });

  it("shows the link where the browser does not copy", async () => {
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
    await user.click(show());
    const field = await screen.findByLabelText<HTMLInputElement>("Link");
    expect(field.value).toContain("/results/AbCd1234");
  });
});
