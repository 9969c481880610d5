/** How fast batches of heat sheets are read, how a server answers under their readers, and whether their limits hold. */
import type { Suite } from "../harness/bench.ts";
import { parsing } from "./scenarios/parsing.ts";
import { sheets } from "./scenarios/sheets.ts";
import { start } from "./scenarios/start.ts";
import { status } from "./scenarios/status.ts";

export const suite: Suite = {
  scenarios: [parsing, sheets, status, start],
  peers: [],
};
