/** How good the results are: the corpus goes through a real server, and each kind of result is held against its truth. */
import type { Suite } from "../harness/bench.ts";
import { closeLibrary } from "./library.ts";
import { books } from "./scenarios/books.ts";
import { fields } from "./scenarios/fields.ts";
import { guidelines } from "./scenarios/guidelines.ts";
import { heatSheets } from "./scenarios/heat-sheets.ts";
import { layout } from "./scenarios/layout.ts";
import { retrieval } from "./scenarios/retrieval.ts";
import { scans } from "./scenarios/scans.ts";
import { words } from "./scenarios/words.ts";

export const suite: Suite = {
  scenarios: [words, layout, books, scans, fields, retrieval, heatSheets, guidelines],
  peers: [],
  onlyByName: true,
  close: closeLibrary,
};
