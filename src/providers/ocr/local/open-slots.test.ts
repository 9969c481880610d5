import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSlots } from "./open-slots.ts";

const never = new AbortController().signal;

test("one that gives up just as its turn has come takes nobody else's place in the line", async () => {
  const slots = openSlots(1);
  const first = Promise.withResolvers<void>();
  const giving = new AbortController();
  const holding = slots.run(never, () => first.promise);
  const second = slots.run(giving.signal, async () => giving.signal.throwIfAborted());
  const third = slots.run(never, async () => "read");
  await setImmediate();
  // Whoever listens last hears it right after the first has left, before the second has noticed.
  void first.promise.then(() => giving.abort(new Error("changed my mind")));
  first.resolve();
  await holding;
  await expect(second).rejects.toThrow("changed my mind");
  expect(await third).toBe("read");
  await slots.empty();
});

test("one that gives up while it waits leaves the line", async () => {
  const slots = openSlots(1);
  const first = Promise.withResolvers<void>();
  const giving = new AbortController();
  const holding = slots.run(never, () => first.promise);
  const second = slots.run(giving.signal, async () => "never");
  const third = slots.run(never, async () => "read");
  giving.abort(new Error("changed my mind"));
  await expect(second).rejects.toThrow("changed my mind");
  first.resolve();
  await holding;
  expect(await third).toBe("read");
});
