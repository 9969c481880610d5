/** A document of scanned pages: nothing in it can be read without OCR, so it keeps a server busy for a while. */
import type { SampleFile } from "./document-place.ts";
import { drawPdf } from "./sample-pdfs.ts";
import { drawScan, editScan } from "./sample-scans.ts";

const blocks = 2;

/** Every page says what `scanLines` says, twice. */
export async function makeScannedDocument(name: string, pages: number): Promise<SampleFile> {
  const scan = await editScan(await drawScan(), (image) => image);
  const png = Buffer.from(scan.data);
  const bytes = await drawPdf(
    (document) => {
      for (let page = 0; page < pages; page++) {
        if (page > 0) document.addPage();
        for (let block = 0; block < blocks; block++) document.image(png, 0, block * 216, { width: 360 });
      }
    },
    { size: [360, blocks * 216], margin: 0 },
  );
  return { name, bytes };
}
