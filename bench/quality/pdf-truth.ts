/** What poppler's pdftotext finds in a PDF: the words of every page, and the text in its order of reading. */
import { readOutput } from "../harness/programs.ts";
import { normalText } from "./layout-scores/normal-words.ts";

/** How many lines at either end of a page may be a running title or a page number. */
const edgeLines = 4;
/** On so many pages at least, and on so large a share of them, a line at the edge is furniture. */
const leastPages = 2;
const leastShare = 0.02;

/** The words as they are drawn, without regard to hyphenation. */
export async function readDrawnWords(path: string): Promise<string> {
  const html = await readOutput("pdftotext", ["-bbox", path, "-"]);
  return [...html.matchAll(/<word[^>]*>(.*?)<\/word>/g)].map(([, word]) => decodeEntities(word ?? "")).join(" ");
}

export async function readPdfText(path: string): Promise<string> {
  return (await readPages(path)).join("\n\n");
}

/** Without running titles and page numbers: they belong to the paper and not to the text. */
export async function readPdfBody(path: string): Promise<string> {
  const pages = (await readPages(path)).map((page) => page.split("\n").filter((line) => line.trim() !== ""));
  const seen = new Map<string, number>();
  for (const lines of pages) {
    for (const edge of new Set(edgesOf(lines).map(mask))) seen.set(edge, (seen.get(edge) ?? 0) + 1);
  }
  const least = Math.max(leastPages, pages.length * leastShare);
  const isFurniture = (line: string) => (seen.get(mask(line)) ?? 0) >= least;
  return pages
    .map((lines) => lines.filter((line, place) => !(isEdge(place, lines.length) && isFurniture(line))).join("\n"))
    .join("\n");
}

async function readPages(path: string): Promise<string[]> {
  return (await readOutput("pdftotext", [path, "-"])).replace(/\f$/, "").split("\f");
}

function edgesOf(lines: readonly string[]): string[] {
  return lines.filter((_, place) => isEdge(place, lines.length));
}

function isEdge(place: number, lines: number): boolean {
  return place < edgeLines || place >= lines - edgeLines;
}

/** Page numbers differ from page to page. */
function mask(line: string): string {
  return normalText(line)
    .replace(/\d+/g, "0")
    .replace(/\b[ivxl]+\b/g, "0");
}

function decodeEntities(text: string): string {
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => characters[name] ?? "");
}
