/** PDFs for tests: drawn with pdfkit, or written object by object where a file has to be odd. */
import PDFDocument from "pdfkit";

export type PdfDrawing = InstanceType<typeof PDFDocument>;

/** A PDF drawn with pdfkit. */
export async function drawPdf(
  draw: (document: PdfDrawing) => void,
  options: ConstructorParameters<typeof PDFDocument>[0] = {},
): Promise<Buffer> {
  const document = new PDFDocument({ size: "A4", margin: 72, ...options });
  const parts: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", resolve);
    document.on("error", reject);
  });
  draw(document);
  document.end();
  await ended;
  return Buffer.concat(parts);
}

export interface OddPage {
  /** The content stream; /F1 is Helvetica, /F2 Courier-Bold, and what `fonts` adds. */
  content: string;
  /** Entries of the page besides its content: "/Rotate 90", "/CropBox [0 0 100 100]". */
  entries?: string;
  mediaBox?: string;
  /** Entries of the page's resources: "/XObject << /Im1 9 0 R >>". */
  resources?: string;
}

/** A PDF written by hand. Objects from 3 on are pages and their contents in turn, then `more`. */
export function writePdf(pages: OddPage[], options: { catalog?: string; more?: string[] } = {}): Buffer {
  const { catalog = "", more = [] } = options;
  const kids = pages.map((_page, index) => `${3 + index * 2} 0 R`).join(" ");
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap(({ content, entries = "", mediaBox = "[0 0 595 842]", resources = "" }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Contents ${4 + index * 2} 0 R ${entries} /Resources << /Font << /F1 ${font("Helvetica")} /F2 ${font("Courier-Bold")} >> ${resources} >> >>`,
      stream(content),
    ]),
    ...more,
  ];
  let body = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + end, "latin1");
}

/** A stream object, for `more`. */
export function stream(content: string, entries = ""): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}
