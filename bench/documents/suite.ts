/** How fast documents are taken in, read, recognised, searched and connected, and what that costs. */
import type { Suite } from "../harness/bench.ts";
import { answers } from "./scenarios/answers.ts";
import { connections } from "./scenarios/connections.ts";
import { embedding } from "./scenarios/embedding.ts";
import { hnsw } from "./scenarios/hnsw.ts";
import { memory } from "./scenarios/memory.ts";
import { scan } from "./scenarios/scan.ts";
import { search } from "./scenarios/search.ts";
import { textPdf } from "./scenarios/text-pdf.ts";
import { uploads } from "./scenarios/uploads.ts";
import { vectors } from "./scenarios/vectors.ts";

export const suite: Suite = {
  scenarios: [textPdf, memory, scan, embedding, vectors, hnsw, search, connections, uploads, answers],
  peers: [],
};
