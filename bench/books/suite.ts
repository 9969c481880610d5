/** How fast books are taken in, recognised and turned into guidelines, what memory that takes, and whether all is there afterwards. */
import type { Suite } from "../harness/bench.ts";
import { bulkUpload } from "./scenarios/bulk-upload.ts";
import { extraction } from "./scenarios/extraction.ts";
import { ocr } from "./scenarios/ocr.ts";

export const suite: Suite = {
  scenarios: [bulkUpload, ocr, extraction],
  peers: [],
};
