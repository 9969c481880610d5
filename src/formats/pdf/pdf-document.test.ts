import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawPdf, stream, writePdf } from "../../../test/support/sample-pdfs.ts";
import { readPdfFacts } from "./read-pdf-facts.ts";
import { readPdfPage } from "./read-pdf-page.ts";
import { renderPdfPage } from "./render-pdf-page.ts";
import { withPdf } from "./with-pdf.ts";

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-pdf-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function save(pdf: Buffer | string): Promise<string> {
  const path = join(folder, `${++files}.pdf`);
  await writeFile(path, pdf);
  return path;
}

async function facts(pdf: Buffer | string) {
  return await withPdf(await save(pdf), readPdfFacts);
}

const page = { content: "BT /F1 12 Tf 100 700 Td (Hello) Tj ET" };

describe("what a PDF says about itself", () => {
  test("its pages, title, author, language and bookmarks", async () => {
    const pdf = await drawPdf(
      (document) => {
        document.text("One");
        const part = document.outline.addItem("Part One");
        document.addPage().text("Two");
        part.addItem("Chapter\tTwo – näher").addItem("Deep");
        document.addPage().text("Three");
        document.outline.addItem("Part Three");
      },
      { info: { Title: "A Book of Samples", Author: "Ida Sample" }, lang: "en-GB" },
    );
    expect(await facts(pdf)).toEqual({
      parts: 3,
      title: "A Book of Samples",
      author: "Ida Sample",
      language: "en-GB",
      outline: [
        { level: 1, title: "Part One", page: 1 },
        { level: 2, title: "Chapter Two – näher", page: 2 },
        { level: 3, title: "Deep", page: 2 },
        { level: 1, title: "Part Three", page: 3 },
      ],
    });
  });

  test("nothing where programs wrote that they know nothing", async () => {
    const { title, author } = await facts(
      await drawPdf(() => {}, { info: { Title: "untitled", Author: "(anonymous)" } }),
    );
    expect([title, author]).toEqual([undefined, undefined]);
  });

  test("bookmarks that go round in circles end", async () => {
    const { outline } = await facts(
      writePdf([page], {
        catalog: "/Outlines 5 0 R",
        more: [
          "<< /First 6 0 R /Last 7 0 R >>",
          "<< /Title (One) /Parent 5 0 R /Next 7 0 R /First 6 0 R >>",
          "<< /Title (Two) /Parent 5 0 R /Next 6 0 R >>",
        ],
      }),
    );
    expect(outline.map(({ title }) => title).toSorted()).toEqual(["One", "Two"]);
  });
});

describe("what is refused", () => {
  test("a PDF that opens with a password only; one without a user password opens", async () => {
    const draw = (options: object) => drawPdf((document) => document.text("secret"), options);
    await expect(facts(await draw({ userPassword: "open sesame" }))).rejects.toMatchObject({
      code: "ENCRYPTED_PDF",
      retryable: false,
    });
    expect(await facts(await draw({ ownerPassword: "for changes only" }))).toMatchObject({ parts: 1 });
  });

  test("what is damaged beyond repair", async () => {
    await expect(facts("%PDF-1.7\n%%EOF")).rejects.toMatchObject({ code: "CORRUPT_PDF" });
    await expect(facts(writePdf([]))).rejects.toMatchObject({ code: "CORRUPT_PDF" });
  });

  test("what is damaged less is repaired", async () => {
    const whole = writePdf([page]).toString("latin1");
    expect(await facts(Buffer.from(whole.replace(/startxref\n\d+/, "startxref\n7"), "latin1"))).toMatchObject({
      parts: 1,
    });
    expect(await facts(Buffer.from(`junk before\n${whole}`, "latin1"))).toMatchObject({ parts: 1 });
  });

  test("a page that is not there", async () => {
    const path = await save(writePdf([page]));
    for (const number of [0, 2, 1.5]) {
      const reading = withPdf(path, (pdfium, document) => readPdfPage(pdfium, document, number));
      await expect(reading).rejects.toMatchObject({ code: "NO_SUCH_PART" });
    }
  });
});

test("a file much larger than the blocks that are kept is read in any order", async () => {
  const ballast = stream("x".repeat(6_000_000));
  const pages = Array.from({ length: 4 }, (_, index) => ({
    content: `BT /F1 12 Tf 100 700 Td (Page${index + 1}) Tj ET`,
  }));
  const path = await save(writePdf(pages, { more: [ballast] }));
  for (const number of [4, 1, 3, 2]) {
    const { text } = await withPdf(path, (pdfium, document) => readPdfPage(pdfium, document, number));
    expect(text.words.map((word) => word.text)).toEqual([`Page${number}`]);
  }
});

test("a file that was replaced is read anew", async () => {
  const path = await save(writePdf([page]));
  expect(await withPdf(path, readPdfFacts)).toMatchObject({ parts: 1 });
  await writeFile(path, writePdf([page, page]));
  expect(await withPdf(path, readPdfFacts)).toMatchObject({ parts: 2 });
});

describe("drawing", () => {
  const black = { content: "0 g 0 0 100 100 re f", mediaBox: "[0 0 200 100]" };
  const draw = async (pdf: Buffer, options: { dpi: number; maxPixels?: number; colour?: boolean }) => {
    const settings = { maxPixels: 1e6, colour: false, ...options };
    return await withPdf(await save(pdf), (pdfium, document) => renderPdfPage(pdfium, document, 1, settings));
  };

  test("gives one grey byte a pixel, upright", async () => {
    const { data, width, height, dpi } = await draw(writePdf([black]), { dpi: 72 });
    expect({ width, height, dpi, bytes: data.length }).toEqual({ width: 200, height: 100, dpi: 72, bytes: 20_000 });
    expect([data[50 * 200 + 50], data[50 * 200 + 150]]).toEqual([0, 255]);
    const turned = await draw(writePdf([{ ...black, entries: "/Rotate 90" }]), { dpi: 72 });
    expect(turned).toMatchObject({ width: 100, height: 200 });
    expect([turned.data[50 * 100 + 50], turned.data[150 * 100 + 50]]).toEqual([0, 255]);
  });

  test("gives RGBA in colour", async () => {
    const red = { ...black, content: "1 0 0 rg 0 0 100 100 re f" };
    const { data } = await draw(writePdf([red]), { dpi: 72, colour: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 0, 0]);
    expect([...data.subarray(150 * 4, 150 * 4 + 3)]).toEqual([255, 255, 255]);
  });

  test("lowers the resolution of a giant page, and says so", async () => {
    const giant = writePdf([{ content: "", mediaBox: "[0 0 14400 14400]" }]);
    const { width, height, dpi } = await draw(giant, { dpi: 300, maxPixels: 1e6 });
    expect(width * height).toBeLessThanOrEqual(1.01e6);
    expect(dpi).toBeCloseTo(5, 1);
  });
});

test("a file that cannot be read is not called a damaged PDF, and the next one is read", async () => {
  await expect(withPdf(folder, readPdfFacts)).rejects.toMatchObject({ code: "EISDIR", syscall: "read" });
  expect(await facts(writePdf([page]))).toMatchObject({ parts: 1 });
});
