/** Stands before a service and sees how many calls are under way at once; can keep them all waiting. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface CallMeter {
  url: string;
  readonly underWay: number;
  /** How many of those wait for `release`. */
  readonly heldBack: number;
  /** The most there ever were. */
  readonly most: number;
  /**
   * The same of those that got their answer. Of one whose caller was killed the end may be seen only after its place was
   * taken by another.
   */
  readonly mostAnswered: number;
  /** From now on nothing is answered. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

/** How long a call takes at least, so that calls meet. */
const callMs = 30;

export async function startCallMeter(target: string): Promise<CallMeter> {
  let underWay = 0;
  let heldBack = 0;
  let most = 0;
  let held = Promise.withResolvers<void>();
  held.resolve();
  /** What began and ended, in the order of its coming. */
  const steps: { call: object; change: 1 | -1 }[] = [];
  const answered = new Set<object>();

  const server = createServer((incoming, response) => {
    underWay++;
    most = Math.max(most, underWay);
    let gone = false;
    let waits = false;
    const call = {};
    steps.push({ call, change: 1 });
    response.once("close", () => {
      underWay--;
      if (waits) heldBack--;
      waits = false;
      gone = true;
    });
    response.on("error", () => {});
    void (async () => {
      const body: Buffer[] = [];
      for await (const part of incoming) body.push(part as Buffer);
      await delay(callMs);
      if (!gone) {
        waits = true;
        heldBack++;
      }
      await held.promise;
      if (waits) heldBack--;
      waits = false;
      // Whoever has hung up is not passed on: nothing was asked of the service.
      if (gone) return;
      const { method, headers } = incoming;
      const passed = request(new URL(incoming.url ?? "/", target), { method, headers }, (answer) => {
        // Before the caller can have it all, and anyone else its place.
        answer.once("end", () => {
          answered.add(call);
          steps.push({ call, change: -1 });
        });
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      passed.end(Buffer.concat(body));
    })().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get underWay() {
      return underWay;
    },
    get heldBack() {
      return heldBack;
    },
    get most() {
      return most;
    },
    get mostAnswered() {
      let now = 0;
      return Math.max(0, ...steps.filter(({ call }) => answered.has(call)).map(({ change }) => (now += change)));
    },
    hold() {
      held = Promise.withResolvers<void>();
    },
    release: () => held.resolve(),
    async close() {
      held.resolve();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
