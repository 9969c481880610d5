/** A heat sheet that was printed and scanned again: its pages are pictures, and its swims are found all the same. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { openDocumentPlace, type SampleFile } from "../support/document-place.ts";
import { openHeatClient } from "../support/heat-client.ts";
import { makeProgram } from "../support/heat-sheets.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";

it("reads a scanned sheet by OCR, each page a checkpoint", async () => {
  await using place = await openDocumentPlace();
  const heats = openHeatClient(place.url);
  await place.startWorker();
  const scan = await scanSheet(makeProgram("sheet.pdf"));

  const { batchId } = await heats.start({ files: [scan] });
  expect((await heats.ended(batchId)).batch.status).toBe("completed");
  const { events } = await heats.results(batchId);
  expect(events).toMatchObject([
    { eventNumber: 1, heatNumber: 2, lane: 2, source: { page: 1, by: "parser" } },
    { eventNumber: 3, heatNumber: 1, lane: 4, source: { page: 1, by: "parser" } },
  ]);
  const items = await place.db.query(sql`select stage, key, done from job_items`);
  expect(items).toEqual([{ stage: "checking", key: "1", done: true }]);

  async function scanSheet({ name, bytes }: SampleFile): Promise<SampleFile> {
    const folder = await makeTemporaryFolder();
    try {
      const path = join(folder, name);
      await writeFile(path, bytes);
      const { reader } = place.runtime.documents.services;
      const png = await reader.renderPng({ path, format: "pdf" }, 1, 300, AbortSignal.timeout(30_000));
      const draw = (pdf: PDFKit.PDFDocument) => pdf.image(Buffer.from(png), 0, 0, { width: 612 });
      return { name: `scan of ${name}`, bytes: await drawPdf(draw, { size: "LETTER", margin: 0 }) };
    } finally {
      await removeTemporaryFolder(folder);
    }
  }
});
