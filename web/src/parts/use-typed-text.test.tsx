// @vitest-environment happy-dom
/** Typed text reaches the address after a pause, or at once with Enter, and the field follows the address. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTypedText } from "./use-typed-text.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Field({ kept, keep }: { kept: string; keep(text: string): void }) {
  const { text, type, commit } = useTypedText(kept, keep);
  return (
    <input
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key }) => key === "Enter" && commit(text)}
    />
  );
}

const field = () => screen.getByRole<HTMLInputElement>("textbox");
const type = (value: string) => fireEvent.change(field(), { target: { value } });

it("keeps what was typed once, when typing pauses", () => {
  const keep = vi.fn();
  render(<Field kept="" keep={keep} />);
  for (const value of ["r", "ry", "rye"]) type(value);
  expect(keep).not.toHaveBeenCalled();
  act(() => vi.runAllTimers());
  expect(keep.mock.calls).toEqual([["rye"]]);
});

it("keeps it at once with Enter, and not again after the pause", () => {
  const keep = vi.fn();
  render(<Field kept="" keep={keep} />);
  type("rye");
  fireEvent.keyDown(field(), { key: "Enter" });
  expect(keep.mock.calls).toEqual([["rye"]]);
  act(() => vi.runAllTimers());
  expect(keep).toHaveBeenCalledTimes(1);
});

it("follows the address, and is not set back by its own words coming back", () => {
  const keep = vi.fn();
  const { rerender } = render(<Field kept="" keep={keep} />);
  type("rye");
  act(() => vi.runAllTimers());
  type("rye bread");
  rerender(<Field kept="rye" keep={keep} />);
  expect(field().value).toBe("rye bread");
  act(() => vi.runAllTimers());
  rerender(<Field kept="rye bread" keep={keep} />);
  rerender(<Field kept="oats" keep={keep} />);
  expect(field().value).toBe("oats");
  expect(keep.mock.calls).toEqual([["rye"], ["rye bread"]]);
});
