/** Draws words at fixed places, in any order, and with the letters that heat sheets get wrong. */
import PDFDocument from "pdfkit";
import { stream, writePdf } from "../sample-pdfs.ts";

/** Some text at a place, in points from the top left corner; `y` is its base line. */
export interface Mark {
  x: number;
  y: number;
  text: string;
  size: number;
  /** Whether the text ends at `x`. */
  right?: boolean;
  /** Which part of a row it is: real sheets have all teams first, then all seeds, and so on. */
  layer?: "team" | "seed" | "name" | "lane";
}

export interface DrawOptions {
  width?: number;
  height?: number;
  /** Whether each column is drawn by parts of its rows instead of by rows. */
  scrambled?: boolean;
  /** What becomes of f before i and l in the text: U+03D0, or a gap. */
  glyphTrouble?: "greek" | "lost";
}

const layers = ["team", "seed", "name", "lane", undefined];

export function drawMarks(pages: readonly Mark[][], options: DrawOptions = {}): Buffer {
  const { width = 612, height = 792, scrambled = false, glyphTrouble } = options;
  const objects = 3 + pages.length * 2;
  const fonts = `/Font << /F1 ${objects} 0 R >>`;
  return writePdf(
    pages.map((marks) => ({
      content: (scrambled ? scramble(marks, width) : marks)
        .map(({ x, y, text, size, right }) => {
          const left = right ? x - widthOf(text, size) : x;
          return `BT /F1 ${size} Tf ${left.toFixed(2)} ${(height - y).toFixed(2)} Td [(${encode(text, glyphTrouble)})] TJ ET`;
        })
        .join("\n"),
      mediaBox: `[0 0 ${width} ${height}]`,
      // Of two dictionaries of fonts the later one counts.
      resources: fonts,
    })),
    { more: listFont(objects) },
  );
}

function scramble(marks: readonly Mark[], width: number): Mark[] {
  const half = (mark: Mark) => Math.floor((mark.x * 2) / width);
  return [...marks].sort(
    (a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer) || half(a) - half(b) || a.y - b.y || a.x - b.x,
  );
}

/** Helvetica whose code 129 looks like f and means U+03D0. */
function listFont(at: number): string[] {
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Odd def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfchar <81> <03d0> endbfchar
endcmap end end`;
  return [
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [129 /f] >> /ToUnicode ${at + 1} 0 R >>`,
    stream(map),
  ];
}

function encode(text: string, trouble: DrawOptions["glyphTrouble"]): string {
  const escaped = text.replace(/[\\()]/g, "\\$&");
  if (trouble === undefined) return escaped;
  // What is lost leaves a gap as wide as the letter.
  return escaped.replace(/f(?=[fil])|(?<=f)f/g, trouble === "greek" ? "\x81" : ") -278 (");
}

const ruler = new PDFDocument({ autoFirstPage: false }).font("Helvetica");
const widths = new Map<string, number>();

export function widthOf(text: string, size: number): number {
  let width = widths.get(text);
  if (width === undefined) {
    width = ruler.fontSize(1_000).widthOfString(text) / 1_000;
    widths.set(text, width);
  }
  return width * size;
}
