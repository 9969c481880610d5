/** How cost grows: with jobs waiting, documents, events, readers and passages, each by a factor of ten from few to very many. */
import type { Suite } from "../harness/bench.ts";
import { chunks } from "./scenarios/chunks.ts";
import { documents } from "./scenarios/documents.ts";
import { events } from "./scenarios/events.ts";
import { jobsWaiting } from "./scenarios/jobs-waiting.ts";
import { readers } from "./scenarios/readers.ts";

export const suite: Suite = {
  scenarios: [jobsWaiting, documents, events, readers, chunks],
  peers: [],
};
