/** The sample book: its pages set like those of a school book, printed, and scanned one by one. */
import type { SampleFile } from "../make-samples.ts";
import { type Drawing, paintPdf } from "./paint.ts";
import { scanPages } from "./scan-page.ts";
import { drawFigure, figureHeight } from "./textbook-figures.ts";
import { about, type Block, contents, pages, publisher, type TextbookPage } from "./textbook-pages.ts";

const page = { width: 430, height: 610, margin: 52 };
const textWidth = page.width - 2 * page.margin;
const textSize = 13;

export async function makeTextbook(): Promise<{ about: typeof about; pages: SampleFile[] }> {
  const pdf = await paintPdf(
    about.title,
    (document) => {
      drawTitle(document);
      document.addPage();
      drawContents(document);
      for (const one of pages) {
        document.addPage();
        drawPage(document, one);
      }
    },
    { size: [page.width, page.height], margin: page.margin },
  );
  const scans = await scanPages(pdf, pages.length + 2, {
    dpi: 150,
    degrees: (number) => [0.4, -0.6, 0.9, -0.3, 0.5][number % 5] ?? 0,
    encode: (image) => image.jpeg({ quality: 62 }),
  });
  return { about, pages: scans.map((bytes, index) => ({ file: `book/page_${index + 1}.jpg`, bytes })) };
}

function drawTitle(document: Drawing): void {
  const centred = { width: textWidth, align: "center" } as const;
  document
    .rect(34, 34, page.width - 68, page.height - 68)
    .lineWidth(2)
    .stroke("#333333");
  document.font("Times-Bold").fontSize(34).fillColor("black").text("WORK MADE EASY", page.margin, 110, centred);
  document
    .font("Times-Italic")
    .fontSize(18)
    .text("A first book of simple machines", { ...centred, paragraphGap: 26 });
  drawFigure(document, "lever", 60, 270);
  document.font("Times-Roman").fontSize(16).text(`Science for Grade ${about.grade}`, page.margin, 408, centred);
  document.fontSize(13).text(about.author, page.margin, 446, centred).text(publisher, page.margin, 520, centred);
}

function drawContents(document: Drawing): void {
  document.font("Times-Bold").fontSize(22).fillColor("black").text("Contents", page.margin, 76);
  let y = 130;
  for (const { title, page: number } of contents) {
    const isChapter = title.startsWith("Chapter");
    document.font(isChapter ? "Times-Bold" : "Times-Roman").fontSize(13);
    const left = page.margin + (isChapter ? 0 : 18);
    if (isChapter) y += 10;
    // Without dots: they are what OCR reads worst.
    document.text(title, left, y, { lineBreak: false, wordSpacing: 1 });
    document.text(String(number), left + document.widthOfString(title, { wordSpacing: 1 }) + 16, y, {
      lineBreak: false,
    });
    y += 26;
  }
}

function drawPage(document: Drawing, { number, head, blocks }: TextbookPage): void {
  document.font("Times-Roman").fontSize(10.5).fillColor("black");
  if (head === null) {
    document.text(String(number), page.margin, page.height - page.margin - 16, {
      width: textWidth,
      align: "center",
      lineBreak: false,
    });
  } else if (head === about.title) {
    document.text(`${number}      ${head}`, page.margin, 34, { lineBreak: false });
  } else {
    document.text(`${head}      ${number}`, page.margin, 34, { width: textWidth, align: "right", lineBreak: false });
  }
  document.x = page.margin;
  document.y = 66;
  for (const block of blocks) drawBlock(document, block);
}

function drawBlock(document: Drawing, block: Block): void {
  const body = { width: textWidth, lineGap: 2.5, paragraphGap: 11, wordSpacing: 0.7 };
  const use = (font: string, size = textSize) => document.font(font).fontSize(size).fillColor("black");
  switch (block.kind) {
    case "chapter":
      use("Times-Bold", 14).text(`CHAPTER ${block.number}`, page.margin, document.y + 8, { paragraphGap: 6 });
      use("Times-Bold", 22).text(block.title, { paragraphGap: 16 });
      return;
    case "section":
      use("Times-Bold", 16).text(block.text, page.margin, document.y + 6, { paragraphGap: 9 });
      return;
    case "text":
      use("Times-Roman").text(block.text, page.margin, document.y, body);
      return;
    case "list":
      use("Times-Bold").text(block.label, page.margin, document.y + 8, { ...body, paragraphGap: 7 });
      use("Times-Roman");
      for (const [index, item] of block.items.entries()) {
        const marker = block.marker === "bullet" ? "•" : `${index + 1}.`;
        document.text(`${marker} ${item}`, { ...body, paragraphGap: 4 });
      }
      document.y += 8;
      return;
    case "words":
      use("Times-Bold").text(block.label, page.margin, document.y + 8, { ...body, paragraphGap: 16 });
      use("Times-Roman").text(block.words.join(", "), body);
      return;
    case "example":
      use("Times-Bold").text(block.label, page.margin, document.y + 4, { continued: true, ...body });
      use("Times-Roman").text(` ${block.text}`, { ...body, paragraphGap: 4 });
      use("Times-Bold").text("Solution:", { continued: true, ...body });
      use("Times-Roman").text(` ${block.solution}`, body);
      return;
    case "figure":
      drawFigure(document, block.drawing, page.margin + (textWidth - 300) / 2, document.y + 6);
      use("Times-Italic", 11.5).text(block.caption, page.margin, document.y + figureHeight + 16, {
        ...body,
        align: "center",
        paragraphGap: 22,
      });
  }
}
