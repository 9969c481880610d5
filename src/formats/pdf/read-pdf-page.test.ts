import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawPdf, type OddPage, stream, writePdf } from "../../../test/support/sample-pdfs.ts";
import type { Word } from "../../layout/page.ts";
import { readPdfPage } from "./read-pdf-page.ts";
import { withPdf } from "./with-pdf.ts";

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-pdf-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function readPage(pdf: Buffer, page = 1) {
  const path = join(folder, `${++files}.pdf`);
  await writeFile(path, pdf);
  return await withPdf(path, (pdfium, document) => readPdfPage(pdfium, document, page));
}

async function readOdd(page: OddPage, options?: Parameters<typeof writePdf>[1]) {
  return await readPage(writePdf([page], options));
}

function texts(words: readonly Word[]): string[] {
  return words.map((word) => word.text);
}

describe("words", () => {
  test("have their text, box and type size, from the top left of the page", async () => {
    const { text } = await readOdd({ content: "BT /F1 20 Tf 100 700 Td (Hello small world) Tj ET" });
    expect(text).toMatchObject({ page: 1, width: 595, height: 842, source: "text" });
    expect(texts(text.words)).toEqual(["Hello", "small", "world"]);
    const [hello] = text.words;
    expect(hello?.fontSize).toBe(20);
    expect(hello?.box.x).toBeCloseTo(101.5, 0);
    // The base line is 142 from the top: most of the type stands above it.
    expect(hello?.box.y).toBeGreaterThan(122);
    expect(hello?.box.y).toBeLessThan(130);
    expect((hello?.box.y ?? 0) + (hello?.box.height ?? 0)).toBeGreaterThan(142);
    expect(hello?.box.width).toBeCloseTo(45, -1);
  });

  test("stand where they are shown on a page with a crop box and another origin", async () => {
    const { text } = await readOdd({
      mediaBox: "[-100 -100 500 700]",
      entries: "/CropBox [0 0 400 600]",
      content: "BT /F1 10 Tf 50 500 Td (inside) Tj ET BT /F1 10 Tf 420 500 Td (outside) Tj ET",
    });
    expect(text).toMatchObject({ width: 400, height: 600 });
    expect(texts(text.words)).toEqual(["inside"]);
    expect(text.words[0]?.box.x).toBeCloseTo(50, -1);
    expect(text.words[0]?.box.y).toBeCloseTo(92, -1);
  });

  test.for([
    [90, "0 1 -1 0 300 100 Tm"],
    [180, "-1 0 0 -1 300 100 Tm"],
    [270, "0 -1 1 0 300 100 Tm"],
  ] as const)("read the same on a page turned by %d degrees", async ([turned, matrix]) => {
    const content = `BT /F1 12 Tf ${matrix} (turned with the page) Tj ET`;
    const { text } = await readOdd({ content, entries: `/Rotate ${turned}` });
    expect(texts(text.words)).toEqual(["turned", "with", "the", "page"]);
    for (const { box } of text.words) expect(box.width).toBeGreaterThan(box.height * 0.9);
    const starts = text.words.map(({ box }) => box.x);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    if (turned !== 180) expect(text).toMatchObject({ width: 842, height: 595 });
  });

  test("that stand on their side come after the upright ones, whole", async () => {
    const { text } = await readOdd({
      content: "BT /F1 12 Tf 0 1 -1 0 40 300 Tm (Confidential draft) Tj ET BT /F1 12 Tf 100 700 Td (Upright) Tj ET",
    });
    expect(texts(text.words)).toEqual(["Upright", "Confidential", "draft"]);
    const [, side] = text.words;
    expect(side?.box.height).toBeGreaterThan(side?.box.width ?? 0);
  });

  test("keep the style of their font", async () => {
    const pdf = await drawPdf((document) => {
      document.font("Helvetica").text("plain");
      document.font("Helvetica-Bold").text("strong");
      document.font("Times-Italic").text("slanted");
      document.font("Courier").text("code");
    });
    const { text } = await readPage(pdf);
    expect(text.words.map(({ text, bold, italic, mono }) => ({ text, bold, italic, mono }))).toEqual([
      { text: "plain" },
      { text: "strong", bold: true },
      { text: "slanted", italic: true },
      { text: "code", mono: true },
    ]);
  });

  test("printed twice for boldness count once; the same word elsewhere counts again", async () => {
    const { text } = await readOdd({
      content: ["100 700", "100.4 700", "100 650"].map((place) => `BT /F1 12 Tf ${place} Td (Total) Tj ET`).join("\n"),
    });
    expect(texts(text.words)).toEqual(["Total", "Total"]);
  });

  test("come apart at the end of a line, also where the line ends in a hyphen", async () => {
    const { text } = await readOdd({
      content: "BT /F1 12 Tf 14 TL 100 700 Td (an exam-) Tj T* (ple of it) Tj ET",
    });
    expect(texts(text.words)).toEqual(["an", "exam-", "ple", "of", "it"]);
  });

  test("in columns without a space between them come apart", async () => {
    const { text } = await readOdd({
      content: "BT /F1 10 Tf 100 700 Td (12.50) Tj ET BT /F1 10 Tf 160 700 Td (EUR) Tj ET",
    });
    expect(texts(text.words)).toEqual(["12.50", "EUR"]);
  });
});

describe("ruling lines", () => {
  test("come from strokes, thin fills and the edges of boxes, where they are shown", async () => {
    const { text } = await readOdd({
      content: [
        "1 w 100 700 m 300 700 l S",
        "0 g 100 600 200 0.8 re f",
        "0.9 g 100 400 200 100 re f",
        "1 1 1 rg 100 200 200 100 re f",
        "0 g 0 0 m 300 300 l S",
      ].join("\n"),
    });
    const { rules } = text;
    expect(rules).toContainEqual({ x1: 100, y1: 142, x2: 300, y2: 142 });
    expect(rules).toContainEqual({ x1: 100, y1: 241.6, x2: 300, y2: 241.6 });
    for (const edge of [
      { x1: 100, y1: 342, x2: 300, y2: 342 },
      { x1: 100, y1: 442, x2: 300, y2: 442 },
      { x1: 100, y1: 342, x2: 100, y2: 442 },
      { x1: 300, y1: 342, x2: 300, y2: 442 },
    ]) {
      expect(rules).toContainEqual(edge);
    }
    // White boxes and slanting lines are no rules.
    expect(rules).toHaveLength(6);
  });

  test("inside a form object stand where it is placed", async () => {
    const { text } = await readOdd(
      { content: "q 1 0 0 1 100 100 cm /Fm1 Do Q", resources: "/XObject << /Fm1 5 0 R >>" },
      { more: [stream("0 0 m 50 0 l S", "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [2 0 0 2 0 0]")] },
    );
    expect(text.rules).toEqual([{ x1: 100, y1: 742, x2: 200, y2: 742 }]);
  });

  test("turn with the page", async () => {
    const { text } = await readOdd({ content: "100 700 m 300 700 l S", entries: "/Rotate 90" });
    expect(text.rules).toEqual([{ x1: 700, y1: 100, x2: 700, y2: 300 }]);
  });

  test("are limited in number on a page full of them", async () => {
    const grid = Array.from({ length: 30_000 }, (_, index) => `${index % 500} ${(index * 7) % 800} m 500 5 l S`);
    const { text } = await readOdd({ content: grid.join("\n") });
    expect(text.rules.length).toBeLessThanOrEqual(4_000);
  });
});

describe("OCR", () => {
  const image = stream(
    "\x80",
    "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
  );
  const scan = { resources: "/XObject << /Im1 5 0 R >>" };
  const drawn = "q 595 0 0 842 0 0 cm /Im1 Do Q";
  const invisible = (text: string) => ` BT 3 Tr /F1 10 Tf 50 700 Td (${text}) Tj ET`;

  test("knows the resolution of what was scanned, and of nothing smaller", async () => {
    const pixels = "/Type /XObject /Subtype /Image /Width 1190 /Height 1684 /BitsPerComponent 1 /ImageMask true";
    const fine = stream("", pixels);
    const whole = await readOdd({ ...scan, content: "595 0 0 842 0 0 cm /Im1 Do" }, { more: [fine] });
    expect(whole.imageDpi).toBeCloseTo(144, 0);
    const logo = await readOdd({ ...scan, content: "60 0 0 84 0 0 cm /Im1 Do" }, { more: [fine] });
    expect(logo.imageDpi).toBeUndefined();
  });

  test("is needed for a scan, with or without a stamp on it", async () => {
    expect(await readOdd({ ...scan, content: drawn }, { more: [image] })).toMatchObject({ needsOcr: true });
    const stamped = `${drawn} BT /F1 8 Tf 500 20 Td (Page 1 of 3) Tj ET`;
    expect(await readOdd({ ...scan, content: stamped }, { more: [image] })).toMatchObject({ needsOcr: true });
  });

  test("is not needed for a page of text, a picture among text, or an empty page", async () => {
    const line = "BT /F1 12 Tf 50 700 Td (All of this page can be read as it stands.) Tj ET";
    expect(await readOdd({ content: line })).toMatchObject({ needsOcr: false });
    expect(await readOdd({ content: "" })).toMatchObject({ needsOcr: false });
    const pictured = `q 300 0 0 300 100 100 cm /Im1 Do Q ${line}`;
    expect(await readOdd({ ...scan, content: pictured }, { more: [image] })).toMatchObject({ needsOcr: false });
  });

  test("done before is used when it reads like language, and done again when not", async () => {
    const good = await readOdd(
      { ...scan, content: drawn + invisible("The meeting was opened at nine by the chair and closed at 12.30.") },
      { more: [image] },
    );
    expect(good.needsOcr).toBe(false);
    expect(texts(good.text.words)).toContain("meeting");
    const bad = await readOdd(
      { ...scan, content: drawn + invisible("T~e m3et1ng w@s 0p}n|d a! n#ne ;. -'- k l. ,,_ x1Q 7y#") },
      { more: [image] },
    );
    expect(bad.needsOcr).toBe(true);
  });

  test("done before may lie under the scan instead of being invisible", async () => {
    const under = (text: string) => `BT /F1 10 Tf 20 700 Td (${text}) Tj ET ${drawn}`;
    const bad = "T~e m3et1ng w@s 0p}n|d a! n#ne ;. -'- k l. ,,_ x1Q 7y# w@s 0p}n|d a! n#ne T~e m3et1ng w@s 0p}n|d";
    expect(await readOdd({ ...scan, content: under(bad) }, { more: [image] })).toMatchObject({ needsOcr: true });
    const good = "The meeting was opened at nine by the chair and closed at half past twelve on the same day.";
    expect(await readOdd({ ...scan, content: under(good) }, { more: [image] })).toMatchObject({ needsOcr: false });
  });

  test("is needed where letters are drawn as outlines", async () => {
    const curves = Array.from({ length: 60 }, (_, index) => {
      const x = 50 + (index % 20) * 20;
      const y = 700 - Math.floor(index / 20) * 30;
      return `${x} ${y} m ${Array.from({ length: 8 }, () => `${x + 3} ${y + 9} ${x + 6} ${y + 9} ${x + 9} ${y} c`).join(" ")} f`;
    });
    expect(await readOdd({ content: curves.join("\n") })).toMatchObject({ needsOcr: true });
  });

  test("is needed where the font does not tell what its glyphs mean", async () => {
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Odd /ToUnicode 6 0 R >>`;
    const map = stream(
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n" +
        "1 beginbfrange <41> <5a> <e100> endbfrange endcmap end end",
    );
    const page = { content: "BT /F9 12 Tf 50 700 Td (ABCDEFGHIJKLMNOPQRSTUVWXYZ) Tj ET", entries: "" };
    const pdf = writePdf([page], { more: [font, map] })
      .toString("latin1")
      .replace("/F2 <<", "/F9 5 0 R /F2 <<");
    expect(await readPage(Buffer.from(pdf, "latin1"))).toMatchObject({ needsOcr: true });
  });
});

describe("forms", () => {
  const form = () =>
    drawPdf((document) => {
      document.font("Helvetica").initForm();
      document.text("Application");
      document.formText("applicant.name", 100, 200, 200, 20, { value: "Ida Sample" });
      document.formText("applicant.empty", 100, 230, 200, 20, {});
      document.formCombo("applicant.country", 100, 260, 200, 20, { select: ["", "Norway", "Chile"], value: "Chile" });
      document.addPage().text("Second page");
      document.formText("remarks", 100, 200, 200, 20, { value: "none so far" });
    });

  test("values are fields of the page they stand on, with their boxes", async () => {
    const { fields } = await readPage(await form());
    expect(fields).toMatchObject([
      { key: "applicant.name", value: "Ida Sample", kind: "text", page: 1, source: "form", confidence: 1 },
      { key: "applicant.country", value: "Chile", page: 1 },
    ]);
    expect(fields[0]?.box?.x).toBeCloseTo(100, 0);
    expect(fields[0]?.box?.y).toBeCloseTo(200, 0);
    expect(await readPage(await form(), 2)).toMatchObject({
      fields: [{ key: "remarks", value: "none so far", page: 2 }],
    });
  });

  test("are read the same when the page is read again", async () => {
    const path = join(folder, "form.pdf");
    await writeFile(path, await form());
    const read = () => withPdf(path, (pdfium, document) => readPdfPage(pdfium, document, 1));
    expect(await read()).toEqual(await read());
  });

  test("boxes to tick say whether they are ticked; what people see is part of the text", async () => {
    const appearance = (text: string) =>
      stream(
        text,
        "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>",
      );
    const box = (name: string, state: string, y: number) =>
      `<< /Type /Annot /Subtype /Widget /FT /Btn /T (${name}) /TU (Wants ${name}) /F 4 /Rect [100 ${y} 110 ${y + 10}] /V /${state} /AS /${state} /AP << /N << /Yes 8 0 R /Off 9 0 R >> >> >>`;
    const { fields, text } = await readOdd(
      { content: "BT /F1 12 Tf 120 700 Td (Choose) Tj ET", entries: "/Annots [5 0 R 6 0 R 7 0 R]" },
      {
        catalog: "/AcroForm << /Fields [5 0 R 6 0 R 7 0 R] >>",
        more: [
          box("tea", "Yes", 700),
          box("milk", "Off", 680),
          "<< /Type /Annot /Subtype /Widget /FT /Tx /T (note) /F 4 /Rect [100 600 200 620] /V (by courier) /AP << /N 10 0 R >> >>",
          appearance("0 0 5 5 re f"),
          appearance(""),
          appearance("BT /F1 10 Tf 2 5 Td (by courier) Tj ET"),
        ],
      },
    );
    expect(fields).toMatchObject([
      { key: "Wants tea", kind: "checkbox", value: "yes", normalized: "true" },
      { key: "Wants milk", kind: "checkbox", value: "no", normalized: "false" },
      { key: "note", kind: "text", value: "by courier" },
    ]);
    expect(texts(text.words)).toEqual(["Choose", "by", "courier"]);
  });
});
