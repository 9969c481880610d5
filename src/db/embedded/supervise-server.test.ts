import { describe, expect, it } from "vitest";
import { silentLogger } from "../../../test/support/silent-logger.ts";
import { until } from "../../../test/support/until.ts";
import type { Server } from "./server.ts";
import { superviseServer } from "./supervise-server.ts";

const address = { kind: "tcp", port: 40123 } as const;

function fakeServer(pid: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { pid, address, exited: promise, die: resolve } satisfies Server & { die(): void };
}

describe("a supervised server", () => {
  it("is started again at its address when it dies, until that works", async () => {
    const first = fakeServer(1);
    const tries: unknown[] = [];
    const supervisor = superviseServer({
      server: first,
      bringUp: async (where) => {
        tries.push(where);
        if (tries.length < 3) throw new Error("no space left");
        return fakeServer(2);
      },
      halt: async () => undefined,
      logger: silentLogger,
    });
    await supervisor.whenUp();
    first.die();
    await until(() => supervisor.state === "restarting");
    await supervisor.whenUp();
    expect({ tries, pid: supervisor.server.pid, state: supervisor.state }).toEqual({
      tries: [address, address, address],
      pid: 2,
      state: "up",
    });
    await supervisor.stop();
  });

  it("is stopped once, however often that is asked, and not started again", async () => {
    const server = fakeServer(1);
    const halted: number[] = [];
    const supervisor = superviseServer({
      server,
      bringUp: () => Promise.reject(new Error("must not be started")),
      halt: async ({ pid }) => {
        halted.push(pid);
        server.die();
      },
      logger: silentLogger,
    });
    await Promise.all([supervisor.stop(), supervisor.stop()]);
    expect({ halted, state: supervisor.state }).toEqual({ halted: [1], state: "stopped" });
    await expect(supervisor.whenUp()).rejects.toThrow("stopped");
  });

  it("is stopped even if it comes back at that moment", async () => {
    const first = fakeServer(1);
    const launching = Promise.withResolvers<Server>();
    const halted: number[] = [];
    const supervisor = superviseServer({
      server: first,
      bringUp: () => launching.promise,
      halt: async ({ pid }) => void halted.push(pid),
      logger: silentLogger,
    });
    first.die();
    await until(() => supervisor.state === "restarting");
    const stopping = supervisor.stop();
    launching.resolve(fakeServer(2));
    await stopping;
    expect(halted).toEqual([2]);
  });

  it("gives up a start that is under way when it is stopped", async () => {
    const first = fakeServer(1);
    const halted: number[] = [];
    const supervisor = superviseServer({
      server: first,
      bringUp: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      halt: async ({ pid }) => void halted.push(pid),
      logger: silentLogger,
    });
    first.die();
    await until(() => supervisor.state === "restarting");
    await supervisor.stop();
    expect({ halted, state: supervisor.state }).toEqual({ halted: [], state: "stopped" });
  });
});
