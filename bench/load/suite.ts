/** What a server does when many come at once, and when it is left alone with them. */
import type { Suite } from "../harness/bench.ts";
import { cost } from "./scenarios/cost.ts";
import { crowd } from "./scenarios/crowd.ts";

export const suite: Suite = {
  scenarios: [crowd, cost],
  peers: [],
};
