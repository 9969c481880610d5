/**
 * The PDF files that a meet's web page links to, likely heat sheets first. The page may be anyone's: it is read in one
 * pass, in time and memory that grow with its length and no faster.
 */
import { decodePercent, toPdfUrl } from "./pdf-url.ts";
import { readPageLinks } from "./read-page-links.ts";

interface PdfLink {
  url: string;
  title: string;
}

const mostLinks = 200;
const longestTitle = 200;
const likely = /heat ?sheets?|psych|meet ?program|time ?line|\bsessions?\b/;

export function findPdfLinks(html: string, baseUrl: string): PdfLink[] {
  const { base, links } = readPageLinks(html);
  const from = baseOf(base, baseUrl);
  const found = new Map<string, PdfLink & { named: boolean }>();
  for (const link of links) {
    const [url] = link.addresses.flatMap(
      (address, index) => toPdfUrl(address, from, link.saysPdf && index === 0) ?? [],
    );
    if (!url) continue;
    const title = toTitle(link.titles);
    const known = found.get(url);
    // A picture that links to the sheet often stands before the words that do.
    if (!known) found.set(url, { url, title: title || fileNameOf(url), named: title !== "" });
    else if (!known.named && title) Object.assign(known, { title, named: true });
  }
  const all = [...found.values()].map(({ url, title }) => ({ url, title }));
  const sheets = new Set(all.filter(isLikely));
  return [...sheets, ...all.filter((link) => !sheets.has(link))].slice(0, mostLinks);
}

function baseOf(address: string | undefined, pageUrl: string): string {
  const base = new URL(address !== undefined && URL.canParse(address, pageUrl) ? address : pageUrl, pageUrl);
  return /^https?:$/.test(base.protocol) ? base.href : pageUrl;
}

function toTitle(texts: readonly string[]): string {
  for (const text of texts) {
    const line = text
      .replace(/[\p{Bidi_Control}\u00ad\u200b]/gu, "")
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim()
      .toWellFormed();
    if (line) return line.length > longestTitle ? `${line.slice(0, longestTitle).toWellFormed()}…` : line;
  }
  return "";
}

function fileNameOf(url: string): string {
  const { pathname, searchParams, hostname } = new URL(url);
  const names = [pathname, ...searchParams.values()].map((each) => decodePercent(each).split(/[/\\]/).at(-1) ?? "");
  return toTitle([names.find((name) => /\.pdf$/i.test(name)) ?? names.find(Boolean) ?? "", hostname]);
}

function isLikely({ url, title }: PdfLink): boolean {
  const { pathname, search } = new URL(url);
  const words = `${title} ${decodePercent(pathname + search)}`.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return likely.test(words.replace(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})/gu, " "));
}
