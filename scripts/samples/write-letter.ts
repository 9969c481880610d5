/** The scanned letter among the sample documents: typed, signed by hand, and there only as a picture. */
import { type Drawing, paintPdf } from "./paint.ts";
import { scanPages } from "./scan-page.ts";

const body = [
  "Dear Ms Farrow,",
  "I have lived in Cooper's Lane for thirty-one years, and until last autumn I had no reason to write to the waterworks. " +
    "Since the main burst in front of our house in November, however, the water in our kitchen has been brown three times, " +
    "each time on a Monday morning.",
  "I opened the tap in the cellar until the water ran clear, as your report says. It took two hours in December and five " +
    "hours in January. On 24 February the water was still brown after a day, and there was rust in the sink.",
  "My neighbours no longer let their children drink at the corner. The water from the fountain in Cooper's Lane is not safe " +
    "to drink, they say. I would like to be able to tell them something better.",
  "Could somebody from the waterworks come with a bottle and take a sample? I am at home every day until noon. If pipes have " +
    "to be dug up for a repair, please tell us a week before: the lane is narrow, and the baker's van has to turn somewhere.",
  "Yours sincerely,",
];

export async function writeLetter(): Promise<Buffer> {
  const pdf = await paintPdf("Letter", drawLetter, { margin: 78 });
  const [scan] = await scanPages(pdf, 1, {
    dpi: 150,
    degrees: () => 0.7,
    encode: (image) => image.png({ palette: true, colours: 16, dither: 0, effort: 8, compressionLevel: 9 }),
  });
  return scan as Buffer;
}

function drawLetter(document: Drawing): void {
  document.font("Times-Roman").fontSize(13).fillColor("#111111");
  document.text("Bram Oakley\n7 Cooper's Lane\n40233 Elderwick", { lineGap: 3 }).moveDown(1.6);
  document
    .text("Elderwick Town Waterworks\nPump House, 12 Cooper's Lane\n40233 Elderwick", { lineGap: 3 })
    .moveDown(1.6);
  document.text("Date: 2 March 2031", { lineGap: 3 });
  document.text("Subject: Brown water in Cooper's Lane", { lineGap: 3 }).moveDown(1.4);
  for (const text of body) document.text(text, { lineGap: 3.5, paragraphGap: 12, wordSpacing: 0.8 });
  drawSignature(document, document.y + 12);
  document.text("Bram Oakley", 78, document.y + 68);
}

function drawSignature(document: Drawing, y: number): void {
  document.save().translate(78, y).lineWidth(1.1).strokeColor("#6a7690");
  document.path("M0 30 C20 -20 34 -6 12 22 C40 -8 52 14 30 30 C60 0 66 30 74 12 C80 40 96 -10 92 24").stroke();
  document.path("M92 24 C110 2 118 34 128 10 C134 34 150 12 190 20 C150 26 90 34 20 40").stroke().restore();
}
